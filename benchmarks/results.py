"""Where the reports of past runs are kept."""

from pathlib import Path

RESULTS = Path(__file__).parent / "results"
