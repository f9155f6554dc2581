"""The CUDA runtime, as far as lagbfs asks it."""

from .._device import DEVICE, INSUFFICIENT_DRIVER, NO_DEVICE, CUDARuntimeError

__all__ = [
    "CUDARuntimeError",
    "driverGetVersion",
    "getDeviceCount",
    "getDeviceProperties",
    "memGetInfo",
    "runtimeGetVersion",
]


def driverGetVersion():
    return DEVICE.driver


def runtimeGetVersion():
    return 13020


def getDeviceCount():
    if DEVICE.driver // 1000 < runtimeGetVersion() // 1000:
        raise CUDARuntimeError(INSUFFICIENT_DRIVER)
    if not DEVICE.count:
        raise CUDARuntimeError(NO_DEVICE)
    return DEVICE.count


def memGetInfo():
    DEVICE.call("query", "memory")
    return DEVICE.total - DEVICE.used, DEVICE.total


def getDeviceProperties(device):
    return {"name": b"the double of a device", "multiProcessorCount": 2, "totalGlobalMem": DEVICE.total}
