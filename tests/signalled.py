"""The command, ended by a signal that comes to it while it writes: at the same place each time."""

import os
import signal
import subprocess
import sys

# A parent may have had signals ignored: what runs in the background of a shell has.
SCRIPT = """
import os, signal, sys
from lagbfs import cli
from lagbfs.io import stream

number, name = int(sys.argv[1]), sys.argv[2]
signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
write = stream._Pieces.write


def interrupted(self, data):
    assert [found[-5:] for found in os.listdir()] == [".part"]
    os.kill(os.getpid(), number)
    return write(self, data)


stream._Pieces.write = interrupted
sys.exit(cli.main(["convert", "kronecker-8", name]))
"""


def convert(number: signal.Signals, name: str, folder: os.PathLike[str]) -> tuple[int, bytes, list[str]]:
    """Return the exit code of a conversion that gets a signal, what it complained of and the files it left."""
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT, str(int(number)), name], cwd=folder, capture_output=True)
    return done.returncode, done.stderr, os.listdir(folder)
