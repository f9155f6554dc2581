// The simulated devices, and what tests see of them.
#include "simulator.hpp"

#include <algorithm>

namespace simulator {

std::recursive_mutex guard;
int devices = 2, driver_version = 12090;
std::size_t total = std::size_t{8} << 30;
bool deferred = false;
thread_local int current = 0;
std::map<std::uintptr_t, Block> blocks;
std::map<std::uintptr_t, std::size_t> locked;
std::size_t most_locked = 0;
std::vector<Call> calls;

static std::map<int, int> broken;  // the error of each device that fails for good
static int fault = 0, countdown = 0;
static bool for_good = false;
static std::string failing;  // the kind of calls that count and fail; empty: all
static Ticket tickets = 0;
static std::map<int, Stream> null_streams;

static int injected(const std::string& kind) {
  if (!fault || (!failing.empty() && kind != failing) || countdown-- > 0) return 0;
  const int error = fault;
  if (!for_good) fault = 0;
  return error;
}

int call(const char* kind, const std::string& what, int device) {
  calls.push_back({kind, what, device});
  if (const int error = injected(kind)) return error;
  return trouble(device);
}

int trouble(int device) {
  const auto found = broken.find(device);
  return found == broken.end() ? 0 : found->second;
}

void break_device(int device, int error) { broken.emplace(device, error); }

static Stream& null_stream(int device) {
  return null_streams.try_emplace(device, Stream{device, true, {}}).first->second;
}

Stream& stream_of(void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number <= 2 ? null_stream(current) : *static_cast<Stream*>(handle);  // 1, 2: the null stream's other names
}

static std::vector<Stream*>& created() {
  static std::vector<Stream*> streams;
  return streams;
}

Ticket push(Stream& stream, Work work) {
  const Ticket ticket = ++tickets;
  stream.queue.emplace_back(ticket, std::move(work));
  if (!deferred) finish(stream);
  return ticket;
}

void finish(Stream& stream, Ticket last) {
  Stream& null = null_stream(stream.device);
  while (!stream.queue.empty() && stream.queue.front().first <= last) {
    const Ticket ticket = stream.queue.front().first;
    if (&stream == &null) {
      for (Stream* other : created())
        if (other->device == stream.device && other->waits_for_null) finish(*other, ticket);
    } else if (stream.waits_for_null) {
      finish(null, ticket);
    }
    const Work work = std::move(stream.queue.front().second);
    stream.queue.pop_front();
    if (!broken.count(stream.device)) work();
  }
}

void finish_device(int device) {
  finish(null_stream(device));
  for (Stream* stream : created())
    if (stream->device == device) finish(*stream);
}

std::size_t used(int device) {
  std::size_t sum = 0;
  for (const auto& [address, block] : blocks) sum += block.device == device ? block.size : 0;
  return sum;
}

const Block* block_at(std::uintptr_t address) {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin()) return nullptr;
  const auto& [begin, block] = *--next;
  return address < begin + block.size ? &block : nullptr;
}

bool is_locked(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto next = locked.upper_bound(address);
  return next != locked.begin() && (--next, address < next->first + next->second);
}

}  // namespace simulator

using namespace simulator;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return asked("stream", "create", [&] {
    created().push_back(new Stream{current, flags != cudaStreamNonBlocking, {}});
    *stream = reinterpret_cast<cudaStream_t>(created().back());
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return asked("stream", "destroy", [&] {
    Stream* gone = &stream_of(stream);
    finish(*gone);
    created().erase(std::remove(created().begin(), created().end(), gone), created().end());
    delete gone;
    return cudaSuccess;
  });
}

// In the place of all functions of the runtime that are not simulated.
cudaError_t simulator_unsupported() { return cudaErrorNotSupported; }

// What tests ask of the simulator.

void simulator_configure(int count, int driver, std::size_t bytes, bool defer) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  for (int device = 0; device < devices; ++device) finish_device(device);
  devices = count, driver_version = driver, total = bytes, deferred = defer;
}
void simulator_fail(int after, int error, bool always, const char* kind) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  fault = error, countdown = after, for_good = always, failing = kind;
}
void simulator_recover() {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  fault = 0;
  for (int device = 0; device < devices; ++device) finish_device(device);
  broken.clear();
}
void simulator_forget_calls() {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  calls.clear();
  most_locked = 0;
  for (const auto& [address, size] : locked) most_locked += size;
}
long simulator_calls() { return static_cast<long>(calls.size()); }
const char* simulator_kind(long i) { return calls[i].kind.c_str(); }
const char* simulator_what(long i) { return calls[i].what.c_str(); }
int simulator_device(long i) { return calls[i].device; }
std::size_t simulator_used(int device) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  return used(device);
}
long simulator_blocks() { return static_cast<long>(blocks.size()); }
std::size_t simulator_most_locked() { return most_locked; }

}  // extern "C"
