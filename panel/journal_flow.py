"""From a key to what is asked of the whole journal: its check, and the state at an earlier line."""

from __future__ import annotations

from panel.submitting import SubmittingApp


class JournalFlowApp(SubmittingApp):
    """An app that checks the whole chain and looks at the past when asked to."""

    def verify_chain(self) -> None:
        """Checks every line anew, with progress, and says what was found."""
        from panel.screens.verify import Verify

        if self.bridge is not None:
            self.put(Verify(self.bridge), self._verified)

    def _verified(self, sound: bool | None) -> None:
        if sound is False:
            # The check in the background says the same at the top of the screen.
            self.check_chain()

    def show_state_at(self, rev: int) -> None:
        """The state as it was after a line."""
        from panel.screens.earlier import Earlier

        if self.bridge is not None:
            self.put(Earlier(self.bridge, rev))
