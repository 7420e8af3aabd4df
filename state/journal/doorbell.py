"""A doorbell on one folder: it rings when something changes there, and is never believed.

The watcher behind it drops events on overflow without a word, goes deaf when its folder is
replaced and dies of a name that isn't UTF-8; so whoever waits looks for himself at each ring and
each tick, and the watcher is started again, ever later as long as it keeps failing.
"""

import os
import threading
import time
from contextlib import suppress

from state import files

STEP_MILLISECONDS = 5
DEBOUNCE_MILLISECONDS = 100
TIMEOUT_MILLISECONDS = 1000
# Its steps are most of what a panel at rest costs: after so long without a change they are longer.
LIVELY_SECONDS = 10.0
AT_REST_SECONDS = 0.05
FIRST_DELAY_SECONDS = 0.25
LONGEST_DELAY_SECONDS = 60.0


class Doorbell:
    """Watches `folder` in a thread of its own until it is closed, or `stop` is set.

    It rings soonest when `file` in it is written, without one when a name comes or goes.
    """

    def __init__(self, folder: str, stop: threading.Event, file: str | None = None) -> None:
        self._folder = folder
        self._file = file or folder
        self._stop = stop
        self._rung = threading.Event()
        self._watch: _Watch | None = None
        self._delay = FIRST_DELAY_SECONDS
        self._next_try = 0.0

    def tend(self) -> bool:
        """Starts the watcher, again where it is needed; gives whether it watches now."""
        if self._watch is not None and not self._watch.is_sound():
            self._give_up(self._watch)
        if self._watch is None and time.monotonic() >= self._next_try:
            self._start()
        return self._watch is not None and self._watch.is_watching()

    def wait(self, seconds: float) -> bool:
        """Whether it rang within `seconds`; ends sooner when it should be tended, or is stopped."""
        if self._watch is None:
            self._stop.wait(min(seconds, max(self._next_try - time.monotonic(), 0.0)))
            return False
        rung = self._rung.wait(seconds)
        self._rung.clear()
        return rung

    def missed(self) -> None:
        """To be told that something did change and it did not ring."""
        if self._watch is not None:
            self._give_up(self._watch)

    def close(self) -> None:
        """Ends the watcher's thread."""
        if self._watch is not None:
            self._watch.stop()
        self._watch = None

    def _start(self) -> None:
        try:
            self._watch = _Watch(self._folder, self._file, self._rung, self._stop)
        except OSError:
            self._wait_longer()

    def _give_up(self, watch: "_Watch") -> None:
        if watch.lived() > LONGEST_DELAY_SECONDS:
            self._delay = FIRST_DELAY_SECONDS
        self.close()
        self._wait_longer()

    def _wait_longer(self) -> None:
        self._next_try = time.monotonic() + self._delay
        self._delay = min(self._delay * 2, LONGEST_DELAY_SECONDS)


class _Watch:
    """One life of the watcher. OSError when the folder can't be opened."""

    def __init__(
        self, folder: str, file: str, rung: threading.Event, stop: threading.Event
    ) -> None:
        self._folder = folder
        self._file = file
        self._written = _written(file)
        self._rung = rung
        self._stop = stop
        self._began = self._changed = time.monotonic()
        self._asked = threading.Event()
        self._stopped = False
        # Held open, so that a folder made anew can't have the same inode.
        self._fd = files.open_folder(folder)
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def is_watching(self) -> bool:
        return self._asked.is_set() and self._thread.is_alive()

    def is_sound(self) -> bool:
        """It lives, and what it watches is still the folder of that name."""
        try:
            named = os.stat(self._folder)
        except OSError:
            return False
        mine = os.fstat(self._fd)
        same = (named.st_dev, named.st_ino) == (mine.st_dev, mine.st_ino)
        return same and self._thread.is_alive()

    def lived(self) -> float:
        return time.monotonic() - self._began

    def is_set(self) -> bool:
        """What the watcher asks at each step to know whether to stop.

        Its first question says that it watches; a change may have come before that. It tells of a
        change only after a second step in which nothing more came: a look here is a step sooner.
        """
        if not self._asked.is_set():
            self._asked.set()
            self._rung.set()
        elif time.monotonic() - self._changed > LIVELY_SECONDS:
            self._stop.wait(AT_REST_SECONDS)
        written = _written(self._file)
        if written != self._written:
            self._written, self._changed = written, time.monotonic()
            self._rung.set()
        return self._stopped or self._stop.is_set()

    def stop(self) -> None:
        self._stopped = True
        self._thread.join()
        os.close(self._fd)

    def _run(self) -> None:
        from watchfiles import watch

        changes = watch(
            self._folder,
            step=STEP_MILLISECONDS,
            debounce=DEBOUNCE_MILLISECONDS,
            rust_timeout=TIMEOUT_MILLISECONDS,
            yield_on_timeout=True,
            watch_filter=None,
            recursive=False,
            stop_event=self,
        )
        # No watcher to be had, or a name that it can't take: it is started again later.
        with suppress(OSError, RuntimeError, UnicodeError):
            for changed in changes:
                if changed:
                    self._changed = time.monotonic()
                    self._rung.set()
        self._rung.set()


def _written(path: str) -> int | None:
    """When a file was last written, None where that can't be seen."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
