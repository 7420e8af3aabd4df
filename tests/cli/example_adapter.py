#!/usr/bin/env python3
"""An adapter as `docs/adapters.md` describes it: it claims, answers, and brings the receipt.

It drives the real command line and nothing else, so it could be written in any language:

    example_adapter.py [--adapter ID --fingerprint F] [--step] -- COMMAND...

COMMAND is the command with its `--project` and `--as`. With `--step` it waits for a line on
standard input before each thing that it does. It prints one JSON object for each, and ends with
the exit status of the command that was refused, or 0 once nothing is pending.
"""

import json
import subprocess
import sys
import time
import uuid

DONE, REFUSED, BUSY, UNKNOWN = 0, 3, 5, 10
# Refusals that time alone mends; each says after how long.
WAITING = ("seat_away", "seat_busy", "cooldown", "hourly_quota")
LONGEST_WAIT = 60
TRIES = 5


class Adapter:
    def __init__(self, command: list[str], who: list[str], *, steps: bool) -> None:
        self.command, self.who, self.steps = command, who, steps

    def tell(self, what: str, **more: object) -> None:
        print(json.dumps({"what": what, **more}), flush=True)

    def ask(self, *words: str) -> tuple[int, dict[str, object]]:
        """One command: its exit status and its object, an error's where it failed."""
        for _ in range(TRIES):
            ran = subprocess.run(
                [*self.command, *words, "--json"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            # The same words again are safe: what writes carries a key.
            if ran.returncode not in (BUSY, UNKNOWN):
                break
        if ran.returncode == DONE:
            return DONE, json.loads(ran.stdout)
        return ran.returncode, json.loads(ran.stderr)["error"]

    def step(self, name: str) -> None:
        if self.steps:
            self.tell("before", step=name)
            sys.stdin.readline()

    def run(self) -> int:
        while True:
            self.step("claim")
            code, lease = self.ask("wake", "claim", *self.who, "--key", f"claim-{uuid.uuid4()}")
            if code == DONE:
                code = self.serve(lease)
                if code != DONE:
                    return code
            elif not self.may_wait(code, lease):
                return DONE if lease["code"] == "nothing_pending" else code

    def may_wait(self, code: int, refused: dict[str, object]) -> bool:
        """Waits where the gate says for how long; never asks again at once."""
        self.tell("refused", code=refused["code"])
        after = refused.get("retry_after")
        if code != REFUSED or refused["code"] not in WAITING or not isinstance(after, int):
            return False
        if after > LONGEST_WAIT:
            return False
        time.sleep(after)
        return True

    def serve(self, lease: dict[str, object]) -> int:
        """The work itself, which here is to answer; then the receipt, which proves it."""
        key, number = str(lease["lease"]), str(lease["message"])
        self.tell("claimed", lease=key, message=lease["message"])
        self.step("answer")
        code, message = self.ask("message", "show", number)
        if code != DONE:
            return self.give_up(key, code, message)
        code, renewed = self.ask("wake", "renew", key, *self.who)
        self.tell("renewed", code=renewed.get("code"))
        words = ("post", str(message["from"]), "--reply-to", number, "--title", "I looked at it")
        code, posted = self.ask(*words, "--key", f"answer-{key}")
        if code != DONE:
            return self.give_up(key, code, posted)
        self.tell("answered", message=posted["message"])
        self.step("receipt")
        proof = ("--outcome", "sent_and_verified", "--reply", str(posted["message"]))
        code, taken = self.ask("wake", "receipt", key, *proof, *self.who, "--key", f"receipt-{key}")
        self.tell("receipt", code=taken.get("code"), why=taken.get("why"))
        return code

    def give_up(self, key: str, code: int, error: dict[str, object]) -> int:
        """Says that it failed, so that the intent is tried again at once and not at expiry."""
        self.tell("failed", code=error["code"])
        outcome = ("--outcome", "failed", "--exit-code", str(code))
        self.ask("wake", "receipt", key, *outcome, *self.who, "--key", f"receipt-{key}")
        return code


def main(words: list[str]) -> int:
    mark = words.index("--")
    mine, command = words[:mark], words[mark + 1 :]
    who = [word for word in mine if word != "--step"]
    return Adapter(command, who, steps="--step" in mine).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
