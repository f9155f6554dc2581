"""What can go wrong on ranks, one fault a run: mpiexec -n 3 python tests/ranks/faults.py NAME."""

import os
import signal
import sys
import threading
import time

import lagbfs

D = lagbfs.DistributedMatrix.kronecker(8)
HERE = D.ranks.rank == 1


def exception():
    if HERE:
        raise KeyError("of its own")
    lagbfs.bfs(D, 0)


def thread():
    if HERE:
        other = threading.Thread(target=lambda: 1 / 0)
        other.start()
        time.sleep(60)
    lagbfs.bfs(D, 0)


def leaves():
    if HERE:
        sys.exit(0)
    lagbfs.bfs(D, 0)


def leaves_those_who_rest():
    if not HERE:
        D.ranks.rest()


def goes_on(there=HERE):
    t = lagbfs.bfs(D, 0)
    if there:
        t.gather()
    else:
        t.verify()


def the_last_goes_on():
    goes_on(there=D.ranks.rank == 2)


def other_call():
    if HERE:
        D.ranks.allreduce(D.split.label)
    else:
        D.ranks.allgather(D.split.label)


def late():
    if HERE:
        time.sleep(60)
    lagbfs.bfs(D, 0)


class Late:
    """A selector that takes its time."""

    def choose(self, features, arms):
        if HERE and features.level == 2:
            time.sleep(60)
        return arms[0]


def late_in_a_level():
    lagbfs.bfs(D, 0, selector=Late())


def killed():
    if HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    lagbfs.bfs(D, 0)


def agreed():
    lagbfs.bfs(D, 1000)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
