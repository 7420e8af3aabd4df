"""`python -m panel` is the command `sublation-panel`."""

from panel.cli.main import entry

raise SystemExit(entry())
