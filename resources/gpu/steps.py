# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs of the GPU check one after another, each within a limit of time, and keeps what they said."""
import os
import signal
import subprocess
import time


class Failed(Exception):
    """A step that ended without a result; the message says why."""


class Steps:
    """Steps share one deadline. What they print goes to a log; a step that fails does not stop the others.

    `patience` multiplies the deadline and every limit.
    """

    def __init__(self, log_path, seconds, environment, patience=1):
        self.log = open(log_path, "w", encoding="utf-8")
        self.patience = patience
        self.deadline = time.monotonic() + seconds * patience
        self.environment = environment
        self.ended = []  # of each step: name, seconds, and the reason of a failure

    def left(self):
        return self.deadline - time.monotonic()

    def say(self, text):
        print(text, flush=True)
        self.log.write(text + "\n")
        self.log.flush()

    def run(self, command, limit, **environment):
        """The standard output of a program. Raises Failed if it fails, takes longer than `limit` seconds or is late."""
        limit = min(limit * self.patience, self.left())
        if limit <= 0.5:
            raise Failed("no time left")
        self.log.write("$ " + " ".join(map(str, command)) + "\n")
        self.log.flush()
        begin = time.monotonic()
        # Its own group, so that what it started ends with it.
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", start_new_session=True, env={**self.environment, **environment}) as process:
            try:
                out, err = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                self.keep(out, err)
                raise Failed(f"longer than {limit:.0f} s") from None
        self.keep(out, err)
        self.log.write(f"({time.monotonic() - begin:.1f} s, status {process.returncode})\n")
        self.log.flush()
        if process.returncode != 0:
            lines = [line for line in (err.strip() or out.strip()).splitlines() if line.strip()]
            error = Failed(f"status {process.returncode}: {lines[-1][:300] if lines else 'it said nothing'}")
            error.out = out
            raise error
        return out

    def keep(self, out, err):
        # The end says what went wrong; megabytes of it help nobody.
        for text in (out, err):
            self.log.write(text[-20_000:] + ("\n" if text and not text.endswith("\n") else ""))

    def step(self, name, work, default=None):
        """The result of work(); `default` if it fails."""
        begin = time.monotonic()
        reason = None
        result = default
        try:
            result = work()
        except Exception as error:  # pylint: disable=broad-except
            reason = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - begin
        self.ended.append({"step": name, "seconds": round(seconds, 1), **({"failed": reason} if reason else {})})
        self.say(f"{name}: {'FAILED, ' + reason if reason else 'done'} ({seconds:.1f} s)")
        return result
