"""The simulated devices as tests see them: what was asked of them, what they hold, and when they are to fail."""

import ctypes
from collections.abc import Sequence

import emulator

from . import install, kernels, sorts

OUT_OF_MEMORY, DEVICES_UNAVAILABLE, ILLEGAL_ADDRESS, LAUNCH_FAILURE = 2, 46, 700, 719


class Calls(Sequence):
    """The calls of the runtime and the driver since they were last cleared: (kind, how many bytes or which kernel)."""

    def __init__(self, library):
        self._library = library

    def __len__(self):
        return self._library.simulator_calls()

    def __getitem__(self, i):
        if not 0 <= i < len(self):
            raise IndexError(i)
        kind, what = self._library.simulator_kind(i).decode(), self._library.simulator_what(i).decode()
        return kind, int(what) if what.isdigit() else what

    def devices(self, kind):
        """Return the devices that were current at the calls of a kind."""
        return {self._library.simulator_device(i) for i, (each, _) in enumerate(self) if each == kind}

    def clear(self):
        self._library.simulator_forget_calls()


class Setting:
    """Something about the devices that tests may change."""

    def __init__(self, default):
        self.default = default

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, simulator, owner=None):
        return simulator.settings.get(self.name, self.default)

    def __set__(self, simulator, value):
        simulator.settings[self.name] = value
        simulator.configure()


class Simulator:
    """The devices. `reset` makes them as good as new."""

    count = Setting(2)  # of devices; CuPy makes room for as many as there are at first
    driver = Setting(12090)  # the version of CUDA that it is for
    total = Setting(1 << 33)  # bytes of each device
    deferred = Setting(False)  # whether work is done only when something waits for it
    order = Setting("forward")  # in which the threads of a block take turns

    def __init__(self, library):
        library.simulator_kind.restype = library.simulator_what.restype = ctypes.c_char_p
        library.simulator_last_fault.restype = ctypes.c_char_p
        for count in (library.simulator_calls, library.simulator_blocks, library.simulator_launches):
            count.restype = ctypes.c_long
        library.simulator_used.restype = library.simulator_most_locked.restype = ctypes.c_size_t
        self._library, self.calls, self.settings = library, Calls(library), {}
        self.configure()

    def configure(self):
        """Let the settings take effect, after all work that was to be done is done."""
        total, deferred = ctypes.c_size_t(self.total), ctypes.c_bool(self.deferred)
        self._library.simulator_configure(self.count, self.driver, total, deferred)
        self._library.simulator_order(emulator.ORDERS.index(self.order))

    def reset(self):
        """Do all work, forget faults and calls, and be one device again."""
        self.recover()
        self.settings.clear()
        self.configure()
        self.calls.clear()

    def fail(self, after, error, *, sticky=False, kind=""):
        """Let the call after so many more, of a kind if one is given, return `error`; if sticky, all after it, too."""
        self._library.simulator_fail(after, error, ctypes.c_bool(sticky), kind.encode())

    def recover(self):
        """Forget all faults, those that were to come and those that have come to stay."""
        self._library.simulator_recover()

    @property
    def used(self):
        """Bytes of arrays on the first device, once CuPy has given back the blocks that none of them uses."""
        import cupy

        pool = cupy.get_default_memory_pool()
        pool.free_all_blocks()
        return self._library.simulator_used(0) - pool.free_bytes()

    @property
    def blocks(self):
        """How many blocks of memory are allocated, on all devices."""
        return self._library.simulator_blocks()

    @property
    def launches(self):
        """How many kernels were launched in this process."""
        return self._library.simulator_launches()

    @property
    def most_locked(self):
        """The most bytes of the host that were page-locked at a time since the calls were cleared."""
        return self._library.simulator_most_locked()

    @property
    def last_fault(self):
        """What a kernel did that broke a device, in words; empty if none ever did."""
        return self._library.simulator_last_fault().decode()


def _install():
    library = install.install()
    kernels.install()
    sorts.install()
    return Simulator(library)


SIMULATOR = _install()
