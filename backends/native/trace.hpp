// What happened at each level.
#pragma once

namespace lagbfs {

// Threads are those that a level was given, whether or not it employed them all. The frontier's form before the level
// is as in Features; seconds do not have those of choosing the arm among them.
// clang-format off
#define LAGBFS_TRACE(X) \
  X(level)              \
  X(frontier_size)      \
  X(frontier_edges)     \
  X(unvisited_size)     \
  X(unvisited_edges)    \
  X(arm)                \
  X(seconds)            \
  X(form)               \
  X(choosing)           \
  X(threads)
// clang-format on

struct TraceRow {
#define X(name) double name = 0;
  LAGBFS_TRACE(X)
#undef X
};

#define X(name) #name,
constexpr const char* kTrace[] = {LAGBFS_TRACE(X)};
#undef X

constexpr int kTraceColumns = sizeof kTrace / sizeof *kTrace;
static_assert(sizeof(TraceRow) == kTraceColumns * sizeof(double), "rows are read as an array of doubles");

}  // namespace lagbfs
