"""The smallest Textual program, to compare a first frame with."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("hello-world")


if __name__ == "__main__":
    Hello().run()
