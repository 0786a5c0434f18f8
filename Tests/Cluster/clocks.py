"""The clock of a process, which can be set while the process runs.

libfaketime takes the place of the system's time of day in the process. What tells the time since
the start of the machine stays as it is, as when somebody sets the clock of a real host.
"""
import glob
import os

# The variant for programs with threads; None if it is not installed.
LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)


class Clock:
    """`path` is where the process reads how many seconds to add; `seconds` are those at first."""

    def __init__(self, path, seconds=0):
        self.path = path
        self.set(seconds)

    def set(self, seconds):
        self.seconds = seconds
        # Never half a file: the process reads it at each look at its clock.
        with open(self.path + ".new", "w") as file:
            file.write("%+d\n" % seconds)
        os.rename(self.path + ".new", self.path)

    @property
    def environment(self):
        return {"LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": self.path,
                "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "NO_FAKE_STAT": "1"}


def forget_shared_memory(process):
    """Removes what libfaketime leaves behind when a process is killed."""
    for path in glob.glob("/dev/shm/*faketime_*_%d" % process):
        os.remove(path)
