"""The emulator itself: it runs threads as a GPU does, and reports what is undefined there."""

import emulator
import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(emulator.NEEDS != "", reason=emulator.NEEDS)]
TEXT = """
#define KERNEL extern "C" __global__
KERNEL void reverse(int* values) {
  __shared__ int kept[64];
  kept[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
KERNEL void lanes(unsigned* votes, long long* from, int* count) {
  votes[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x % 3 == 0);
  from[threadIdx.x] = __shfl_down_sync(0xffffffff, (long long)threadIdx.x << 40, 2, 8);
  count[threadIdx.x] = __syncthreads_count(threadIdx.x > 9);
}
KERNEL void grid(int* order, unsigned* next) {
  if (threadIdx.x == 0) order[atomicAdd(next, 1u)] = blockIdx.x;
}
KERNEL void unwritten(int* out) {
  __shared__ int kept[64];
  out[threadIdx.x] = kept[threadIdx.x];
  kept[threadIdx.x] = 0;
}
KERNEL void seen(int* flag, int* early) {
  if (threadIdx.x == 0) *flag = 1;
  early[threadIdx.x] = __ldcg(flag);
}
KERNEL void ends_early(int* out) {
  if (threadIdx.x == 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
KERNEL void lane_ends_early() {
  if (threadIdx.x == 40) return;
  __any_sync(0xffffffff, true);
}
KERNEL void diverges() {
  if (threadIdx.x % 2)
    __ballot_sync(0xffffffff, true);
  else
    __ballot_sync(0xffffffff, false);
}
KERNEL void two_barriers() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}
KERNEL void half_mask() {
  if (threadIdx.x % 32 < 16) __ballot_sync(0xffff, true);
}
"""


@pytest.fixture(scope="module")
def module():
    return emulator.compile(TEXT)


@pytest.mark.parametrize("order", emulator.ORDERS)
def test_barriers_and_collectives(module, order):
    values = np.arange(64, dtype=np.int32)
    module.launch("reverse", 1, 64, [values], order=order)
    np.testing.assert_array_equal(values, np.arange(64)[::-1])
    votes, shuffled, count = np.zeros(64, np.uint32), np.zeros(64, np.int64), np.zeros(64, np.int32)
    module.launch("lanes", 1, 64, [votes, shuffled, count], order=order)
    expected = [sum(1 << lane for lane in range(32) if (lane + first) % 3 == 0) for first in (0, 32)]
    np.testing.assert_array_equal(votes, np.repeat(expected, 32))
    lanes = np.arange(64)
    np.testing.assert_array_equal(shuffled >> 40, np.where(lanes % 8 < 6, lanes + 2, lanes))
    assert (count == 54).all()


def test_orders_of_blocks_and_threads(module):
    orders = {}
    for order in emulator.ORDERS:
        blocks, early = np.zeros(5, np.int32), np.zeros(64, np.int32)
        module.launch("grid", 5, 64, [blocks, np.zeros(1, np.uint32)], order=order, seed=2)
        module.launch("seen", 1, 64, [np.zeros(1, np.int32), early], order=order, seed=2)
        orders[order] = blocks.tolist(), int(early.sum())
    assert orders["forward"] == ([0, 1, 2, 3, 4], 64)
    assert orders["reverse"] == ([4, 3, 2, 1, 0], 1)
    assert sorted(orders["random"][0]) == [0, 1, 2, 3, 4]
    assert 1 < orders["random"][1] < 64
    part = np.zeros(2, np.int32)
    module.launch("grid", 2**30, 64, [part, np.zeros(1, np.uint32)], first=2**29, blocks=2)
    assert part.tolist() == [2**29, 2**29 + 1]


def test_shared_memory_is_poisoned_for_every_block(module):
    out = np.zeros(64, np.int32)
    module.launch("unwritten", 3, 64, [out])
    assert (out == np.uint32(0xB5B5B5B5).astype(np.int32)).all()


@pytest.mark.parametrize(
    ("kernel", "arguments", "fault"),
    [
        ("ends_early", [np.zeros(64, np.int32)], "not all of its warp or block"),
        ("lane_ends_early", [], "not all of its warp or block"),
        ("diverges", [], "not all of its warp or block"),
        ("two_barriers", [], "not all of its warp or block"),
        ("half_mask", [], "without the full mask"),
    ],
)
@pytest.mark.parametrize("order", emulator.ORDERS)
def test_faults(module, kernel, arguments, fault, order):
    with pytest.raises(emulator.KernelFault, match=f"{kernel}, {order}: block 0, thread .*{fault}"):
        module.launch(kernel, 1, 64, arguments, order=order)
    test_barriers_and_collectives(module, order)  # what comes after a fault is not disturbed


def test_arguments_are_checked_against_the_signature(module):
    assert module.signatures["lanes"] == ("uint32*", "int64*", "int32*")
    with pytest.raises(TypeError, match="reverse takes 1 arguments, not 0"):
        module.launch("reverse", 1, 64, [])
    with pytest.raises(TypeError, match="must be int32"):
        module.launch("reverse", 1, 64, [np.zeros(64)])
    with pytest.raises(ValueError, match="contiguous"):
        module.launch("reverse", 1, 64, [np.zeros(128, np.int32)[::2]])
    with pytest.raises(ValueError, match="cannot launch 0 blocks"):
        module.launch("reverse", 0, 64, [np.zeros(64, np.int32)])


def test_text_that_does_not_compile():
    with pytest.raises(emulator.CompileError, match="undeclared_name"):
        emulator.compile('#define KERNEL extern "C" __global__\nKERNEL void wrong() { undeclared_name(); }')
