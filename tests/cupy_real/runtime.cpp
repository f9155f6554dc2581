// The CUDA runtime as far as CuPy calls it for arrays and kernels: devices, memory, copies, streams and events.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "simulator.hpp"

using namespace simulator;

namespace {

constexpr std::size_t kPage = 4096;

std::size_t pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

bool on_device(const void* pointer) { return block_at(number(pointer)) != nullptr; }

// Whether so many bytes from a pointer on are all of one block, if they begin in one.
bool whole(const void* pointer, std::size_t bytes) {
  const Block* block = block_at(number(pointer));
  return !block || block_at(number(pointer) + bytes - 1) == block;
}

// What crosses the bus is told apart from what moves on a device.
const char* kind_of(const void* to, const void* from) { return on_device(to) == on_device(from) ? "move" : "copy"; }

// What the work that was waited for did to the device.
cudaError_t after_waiting() { return static_cast<cudaError_t>(trouble(current)); }

cudaError_t copy(void* to, const void* from, std::size_t bytes, Stream& stream) {
  if (!bytes) return cudaSuccess;
  if (!whole(to, bytes) || !whole(from, bytes)) return cudaErrorInvalidValue;
  if (!on_device(from) && !is_locked(from)) {  // the driver takes what is not page-locked before it returns
    const auto* first = static_cast<const char*>(from);
    push(stream,
         [to, taken = std::vector<char>(first, first + bytes)] { std::memcpy(to, taken.data(), taken.size()); });
    return cudaSuccess;
  }
  const Ticket ticket = push(stream, [=] { std::memmove(to, from, bytes); });
  if (on_device(to) || is_locked(to)) return cudaSuccess;
  finish(stream, ticket);  // what comes to memory that is not has come when it returns
  return after_waiting();
}

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  *version = driver_version;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  if (driver_version < 12000) return cudaErrorInsufficientDriver;
  *count = devices;
  return devices ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  if (device < 0 || device >= devices) return cudaErrorInvalidDevice;
  const int error = call("use", std::to_string(device), device);
  if (!error) current = device;
  return static_cast<cudaError_t>(error);
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = 8;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 2;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= devices) return cudaErrorInvalidDevice;
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "a simulated device");
  properties->totalGlobalMem = total, properties->multiProcessorCount = 2, properties->warpSize = 32;
  properties->major = 8, properties->minor = 0, properties->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return asked("malloc", std::to_string(bytes), [&] {
    if (used(current) + bytes > total) return cudaErrorMemoryAllocation;
    const std::size_t size = pages(bytes);
    void* place = mmap(nullptr, size + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED || mprotect(place, size, PROT_READ | PROT_WRITE)) return cudaErrorMemoryAllocation;
    std::memset(place, 0xa5, size < (1 << 20) ? size : (1 << 20));
    blocks[number(place)] = {bytes, current};
    *pointer = place;
    return cudaSuccess;
  });
}
// A device that fails has given its memory back, whatever this returns.
cudaError_t cudaFree(void* pointer) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  const auto found = blocks.find(number(pointer));
  if (pointer && found == blocks.end()) return cudaErrorInvalidValue;
  if (pointer) {
    finish_device(found->second.device);
    munmap(pointer, pages(found->second.size) + kPage);
    blocks.erase(found);
  }
  return static_cast<cudaError_t>(call("free", ""));
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return asked("pin", std::to_string(bytes), [&] {
    *pointer = std::malloc(bytes);
    locked[number(*pointer)] = bytes;
    std::size_t sum = 0;
    for (const auto& [address, size] : locked) sum += size;
    most_locked = sum > most_locked ? sum : most_locked;
    return cudaSuccess;
  });
}
cudaError_t cudaFreeHost(void* pointer) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  finish_device(current);
  locked.erase(number(pointer));
  std::free(pointer);
  return static_cast<cudaError_t>(call("unpin", ""));
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  return asked("room", "", [&] {
    *free = total > used(current) ? total - used(current) : 0, *all = total;
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return asked("ask", "pointer", [&] {
    const Block* block = block_at(number(pointer));
    void* place = const_cast<void*>(pointer);
    const cudaMemoryType type = block                ? cudaMemoryTypeDevice
                                : is_locked(pointer) ? cudaMemoryTypeHost
                                                     : cudaMemoryTypeUnregistered;
    *attributes = {type, block ? block->device : current, block ? place : nullptr, block ? nullptr : place};
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return asked(kind_of(to, from), std::to_string(bytes), [&] { return copy(to, from, bytes, stream_of(stream)); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  return asked(kind_of(to, from), std::to_string(bytes), [&] {
    const cudaError_t error = copy(to, from, bytes, stream_of(nullptr));
    finish(stream_of(nullptr));
    return error ? error : after_waiting();
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return asked("set", std::to_string(bytes), [&] {
    if (!on_device(to) || !whole(to, bytes)) return cudaErrorInvalidValue;
    push(stream_of(stream), [=] { std::memset(to, value, bytes); });
    return cudaSuccess;
  });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return cudaMemsetAsync(to, value, bytes, nullptr); }

cudaError_t cudaDeviceSynchronize() {
  return asked("sync", "device", [&] {
    finish_device(current);
    return after_waiting();
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return asked("sync", "stream", [&] {
    finish(stream_of(stream));
    return after_waiting();
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return asked("ask", "stream", [&] { return stream_of(stream).queue.empty() ? cudaSuccess : cudaErrorNotReady; });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return asked("ask", "capture", [&] {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return asked("wait for", "event", [&] {
    const Event recorded = *reinterpret_cast<Event*>(event);
    if (recorded.stream) push(stream_of(stream), [=] { finish(*recorded.stream, recorded.ticket); });
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return asked("event", "create", [&] {
    *event = reinterpret_cast<cudaEvent_t>(new Event{nullptr, 0});
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Event*>(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return asked("event", "record", [&] {
    Stream& on = stream_of(stream);
    *reinterpret_cast<Event*>(event) = {&on, push(on, [] {})};
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return asked("ask", "event", [&] {
    const auto [stream, ticket] = *reinterpret_cast<Event*>(event);
    const bool waits = stream && !stream->queue.empty() && stream->queue.front().first <= ticket;
    return waits ? cudaErrorNotReady : cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return asked("sync", "event", [&] {
    const auto [stream, ticket] = *reinterpret_cast<Event*>(event);
    if (stream) finish(*stream, ticket);
    return after_waiting();
  });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1;
  return cudaSuccess;
}

}  // extern "C"
