// PARTS: how many cases go to a GPU at once, from their bytes.
//
// A part has fixed costs, the calls of the driver: a copy up, one or two launches, a copy down, an
// event, a wait for it. Each call is assumed to take 3 us, and the driver to do one at a time for
// all threads. The copies grow with the cases, at some 50 GB/s.
//
// A part is so large that its copies take four times as long as its calls. Then the driver is busy
// for a fourth of the time if copies are the bound, in either direction. Larger parts would gain
// little and cost more. Each thread locks the memory of a part, which takes time at the start.
// Answers leave the cache of a core before they are read, and a list ends when its last part does.
//
// A launch of fewer cases than kLeastPartCases leaves most of a large GPU idle, even with long
// rows. More than kMostPartCases take a thread a millisecond or more, and a list of millions of
// rows ends unevenly.
#pragma once

#include <cstdint>

namespace mpf {

inline constexpr uint32_t kLeastPartCases = uint32_t{1} << 15;
inline constexpr uint32_t kMostPartCases = uint32_t{1} << 18;
inline constexpr uint32_t kMostPartBytes = uint32_t{64} << 20;

/// Returns the cases of a part, a power of two, if one case takes `caseBytes` up and down together.
/// 0: so few fit the memory of a part that the device would be idle.
uint32_t partCases(double caseBytes);

/// Returns the number of parts of a block, each of about `part` cases (partCases).
uint32_t partCount(uint32_t blockCases, uint32_t part);

/// Returns the cases of a block for a list of `rows` that several threads send. It is smaller than
/// `part`, but not below kLeastPartCases, if otherwise some threads would have far fewer blocks
/// than others.
uint32_t evenPartCases(uint32_t part, uint64_t rows, uint64_t threads);

} // namespace mpf
