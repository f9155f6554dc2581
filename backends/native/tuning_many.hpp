// The numbers that decide how many searches at once are computed: see tuning.hpp.
#pragma once

#include "tuning.hpp"

namespace lagbfs {

// Many searches (together.hpp): a push, whose edges cost more than those of a pull, has to have so many times fewer; a
// pull looks whether a vertex is in the frontier before it reads its row if the frontier has few edges. Chunks: of
// words of a bitmap, of vertices, of words to blank, of vertices whose distances are made numbers.
constexpr std::int64_t kPushShare = 16, kProbeShare = 3;
constexpr std::int64_t kListShare = 16;  // a frontier of more than one vertex in so many is not listed
constexpr int kProbeWords = 4;           // narrower rows are read without a look
constexpr std::int64_t kLaneAhead = tuned(16, 3);
constexpr std::int64_t kLaneWords = tuned(4, 1), kLaneVertices = tuned(256, 4), kLaneFill = tuned(1 << 16, 64);
constexpr std::int64_t kNumberWords = tuned(16, 1);
// One search by a thread (apart.hpp): one that has reached fewer than one vertex in so many is forgotten one by one.
constexpr std::int64_t kForgetShare = 8;

}  // namespace lagbfs
