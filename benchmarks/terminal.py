"""A program on a pseudo-terminal: what it wrote and when, and keys typed into it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Sequence
from time import perf_counter

SIZE = (40, 120)
PATIENCE_SECONDS = 60.0
MOVES = re.compile(rb"\x1b\[\d*;?\d*H|\r?\n")
LOOKS = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Terminal:
    """Runs a command on a terminal of 120×40; a thread keeps each piece of output with its time."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], cwd: str) -> None:
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.started = perf_counter()
        self.process = subprocess.Popen(
            command, env=environment, cwd=cwd, stdin=side, stdout=side, stderr=side,
            start_new_session=True,
        )  # fmt: skip
        os.close(side)
        self._pieces: list[tuple[float, bytes]] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, keys: bytes) -> float:
        """Types keys; gives the moment."""
        moment = perf_counter()
        os.write(self._main, keys)
        return moment

    def wait_for(self, pattern: str, after: float) -> float:
        """The moment at which text that fits had been written since `after`.

        What is compared is what one reads: without colours, a line for each place that the cursor
        is sent to. TimeoutError after a minute.
        """
        wanted = re.compile(pattern)
        return self._wait(lambda piece: wanted.search(plain(piece)) is not None, after)

    def raw_since(self, after: float) -> bytes:
        """The bytes that were written since."""
        with self._news:
            return b"".join(piece for moment, piece in self._pieces if moment > after)

    def forget(self) -> None:
        """Lets go of what was written so far."""
        with self._news:
            self._pieces.clear()

    def resize(self, columns: int, lines: int) -> float:
        """Gives the terminal another size, so that everything is drawn anew; gives the moment."""
        moment = perf_counter()
        fcntl.ioctl(self._main, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        # It isn't the controlling terminal of the program, so nobody else says so.
        self.process.send_signal(signal.SIGWINCH)
        return moment

    def pause(self) -> None:
        """Stops the program where it is; keys and news wait."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on."""
        self.process.send_signal(signal.SIGCONT)

    def quiet(self, seconds: float) -> None:
        """Waits until nothing has been written for so long."""
        with self._news:
            while self._news.wait(seconds):
                pass

    def resident(self) -> int:
        """Bytes of memory that the process holds now."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            line = next(line for line in status if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def processor_seconds(self) -> float:
        """Processor time used so far, all threads."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Ends the program and waits for it."""
        if self.process.poll() is None:
            self.resume()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(5)
        os.close(self._main)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, wanted: Callable[[bytes], bool], after: float) -> float:
        seen = b""
        place = 0
        with self._news:
            while True:
                for moment, piece in self._pieces[place:]:
                    if moment > after:
                        seen += piece
                        if wanted(seen):
                            return moment
                place = len(self._pieces)
                left = after + PATIENCE_SECONDS - perf_counter()
                if left <= 0 or not self._news.wait(left):
                    raise TimeoutError(f"not on the screen; last output: {plain(seen)[-600:]!r}")

    def _read(self) -> None:
        while True:
            try:
                select.select([self._main], [], [], 1.0)
                piece = os.read(self._main, 65536)
            except OSError:
                return
            if not piece:
                return
            with self._news:
                self._pieces.append((perf_counter(), piece))
                self._news.notify_all()


def plain(written: bytes) -> str:
    """What one reads of what was written to a terminal."""
    return LOOKS.sub(b"", MOVES.sub(b"\n", written)).decode("utf-8", "replace")
