// Arms: the ways in which a level can be computed here, and how those of other engines are told apart from them.
#pragma once

namespace lagbfs {

// kNotMine is a policy's answer: the level belongs to another engine.
enum Arm : int { kPushQueue, kPushScan, kPushEdges, kPullBitmap, kPullList, kArmCount, kNotMine = -1 };

constexpr const char* kArms[kArmCount] = {"push:queue", "push:scan", "push:edges", "pull:bitmap", "pull:list"};

// Whoever computed the level before, if it was not an arm of ours: nobody yet, or another engine, by direction.
enum Before : int { kNone = -1, kOtherPush = -2, kOtherPull = -3 };

// 0 push, 1 pull, -1 none yet.
inline int direction_of(int arm) { return arm == kNone ? -1 : arm == kOtherPull || arm >= kPullBitmap; }

}  // namespace lagbfs
