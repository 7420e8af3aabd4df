"""Checks a journal without the program that wrote it: check_chain.py PROJECT/.sublation-panel"""

import json
import sys
from hashlib import sha256
from pathlib import Path


def sealed(raw: bytes) -> bool:
    """A record ends with the first 16 hex digits of the sha256 of what stands before."""
    return raw.endswith(b',"sum":"%b"}\n' % sha256(raw[:-27]).hexdigest()[:16].encode())


def fault(root: Path) -> str:
    """The first thing that is wrong, or nothing."""
    slots = (root / "head" / "HEAD").read_bytes()
    heads = [json.loads(slot) for at in (0, 4096) if sealed(slot := slots[at:][:512].rstrip(b" "))]
    if not heads:
        return "HEAD: both slots are bad"
    head = max(heads, key=lambda slot: slot["gen"])
    rev, digest = 0, sha256((root / "FORMAT").read_bytes()).hexdigest()
    for segment in range(1, head["seg"] + 1):
        log = (root / "log" / f"{segment:08d}.jsonl").read_bytes()
        offset, end = 0, head["off"] if segment == head["seg"] else len(log)
        while offset < end:
            raw = log[offset : log.find(b"\n", offset, end) + 1]
            start = b'{"v":1,"rev":%d,"prev":"%b","ts":"' % (rev + 1, digest.encode())
            if not sealed(raw) or not raw.startswith(start):
                what = "does not follow" if sealed(raw) else "is cut off or does not match its sum"
                return f"line {rev + 1} (segment {segment}, offset {offset}) {what}"
            rev, digest, offset = rev + 1, sha256(raw).hexdigest(), offset + len(raw)
    same = (rev, digest) == (head["rev"], head["hash"])
    print(f"{rev} lines, the last one {digest}")
    return "" if same else f"HEAD names line {head['rev']}, {head['hash']}"


if __name__ == "__main__":
    folder = Path(*sys.argv[1:2])
    sys.exit((fault(folder) or 0) if (folder / "head" / "HEAD").is_file() else __doc__)
