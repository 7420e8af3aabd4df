"""What every screen, dialog and the app share to obey the table of keys."""

from __future__ import annotations

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

from panel import keys, safe_text


class Keyed:
    """Mixed into a screen or app: a key that needs something says why it can't act."""

    def why_not(self, needs: str) -> str | None:
        """None when what a key needs is there, else why not, in one line.

        The reason comes from the rules' own decision; this only passes it on. It is asked often
        and must answer at once.
        """
        return None

    def on_key(self, event: events.Key) -> None:
        """Give a letter that was typed before its field had the keys to that field.

        A busy screen hands on several keys before the first of them has acted.
        """
        assert isinstance(self, App | Screen)
        field = self.focused
        if field is not None and field.check_consume_key(event.key, event.character):
            event.stop()
            event.prevent_default()
            field.post_message(events.Key(event.key, event.character))

    async def action_press(self, binding_id: str) -> None:
        """Do what the binding with this id does, or say why it can't."""
        assert isinstance(self, App | Widget)
        key = keys.by_id(binding_id)
        reason = self.why_not(key.needs)
        if reason is None:
            await self.run_action(key.action)
        else:
            safe_text.toast(self, reason, "warning")


def why_not(screen: Screen[object], binding_id: str) -> str | None:
    """Why the binding can't act on this screen now, None when it can."""
    needs = keys.by_id(binding_id).needs
    return screen.why_not(needs) if needs and isinstance(screen, Keyed) else None
