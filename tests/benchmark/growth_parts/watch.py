# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits for a process within bounds of time and memory, and notes what it used."""
import os
import resource
import signal
import time
from pathlib import Path

POLL_SECONDS = 0.01
WALL_FACTOR = 6  # on a busy machine a second of the processor takes several on the clock


class LeftOut(Exception):
    """A run that reached a bound: "time" or "memory"."""


def limit(seconds, cores=None):
    """For the child, before it begins: the system ends it after so many seconds of the processor; it may use so many cores."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    if cores and cores > 1:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def status_kb(pid, key):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    return 0


def busiest_thread(pid, seen):
    """Notes seconds of the processor by thread."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        seen[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9


def watched(pid, seconds, memory_mb, by_thread=None):
    """Exit status, seconds of the processor and peak in MB of a child; by_thread: a dictionary to fill."""
    deadline = time.monotonic() + WALL_FACTOR * seconds
    peak_kb, reason = 0, None
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        try:
            peak_kb = max(peak_kb, status_kb(pid, "VmHWM"))
            if by_thread is not None:
                busiest_thread(pid, by_thread)
        except OSError:
            pass  # it ended meanwhile
        if peak_kb > 1024 * memory_mb:
            reason = "memory"
        elif time.monotonic() > deadline:
            reason = "time"
        if reason:
            os.kill(pid, signal.SIGKILL)
            os.wait4(pid, 0)
            raise LeftOut(reason)
        time.sleep(POLL_SECONDS)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        # The system ends processes for both reasons; which one, their use tells.
        raise LeftOut("time" if usage.ru_utime + usage.ru_stime > 0.9 * seconds else "memory")
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, max(peak_kb, usage.ru_maxrss) / 1024
