// The simulated devices: their memory, their streams of work, what was asked of them and when they are to fail.
//
// Memory of a device is mapped page by page, with a page behind it that nobody may touch; freed, it is gone. Each block
// knows its device, and a launch whose arguments point into the memory of another is a fault, as on a machine whose
// devices cannot see each other.
//
// Work is queued on its stream. By default it is done at once. Deferred, it waits until something waits for it: then
// what is read too early is not there yet, and what is overwritten too early is lost, every time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace simulator {

using Work = std::function<void()>;
using Ticket = std::uint64_t;  // numbers all work in the order in which it was asked for

struct Block {
  std::size_t size;
  int device;
};

struct Stream {
  int device;
  bool waits_for_null;  // and the null stream for it: not so if it was created as non-blocking
  std::deque<std::pair<Ticket, Work>> queue;
};

struct Event {
  Stream* stream;  // null: not recorded yet
  Ticket ticket;
};

struct Call {
  std::string kind, what;
  int device;
};

extern std::recursive_mutex guard;  // held by every stub
extern int devices, driver_version;
extern std::size_t total;  // bytes that each device has
extern bool deferred;
extern thread_local int current;
extern std::map<std::uintptr_t, Block> blocks;        // of device memory, by address
extern std::map<std::uintptr_t, std::size_t> locked;  // page-locked memory of the host, by address
extern std::size_t most_locked;                       // bytes, at any time
extern std::vector<Call> calls;

// Notes a call; returns the error that it returns instead of doing anything, 0 if it may go on.
int call(const char* kind, const std::string& what, int device = current);
// The error for which a device fails for good; 0 if it works.
int trouble(int device);
// Lets a device fail for good, as a fault in a kernel does: all later calls return the error.
void break_device(int device, int error);

Stream& stream_of(void* handle);
Ticket push(Stream& stream, Work work);
// Do the work of a stream up to a ticket, or all of it, and whatever that waits for.
void finish(Stream& stream, Ticket last = ~Ticket{0});
void finish_device(int device);

std::size_t used(int device);
const Block* block_at(std::uintptr_t address);  // null if it lies in none
bool is_locked(const void* address);

// A stub's way in: alone, and only if the call is not to fail.
template <class Error = cudaError_t, class F>
Error asked(const char* kind, const std::string& what, F&& body) {
  const std::lock_guard<std::recursive_mutex> alone(guard);
  if (const int error = call(kind, what)) return static_cast<Error>(error);
  return body();
}

}  // namespace simulator
