// PARTS: how many cases go to a GPU at once, from their bytes.
//
// What a part costs whatever its size are the calls of the driver: a copy up, one or two launches,
// a copy down, an event, a wait for it. Each takes 2 to 5 us, and the driver takes one at a time,
// whoever calls. What grows with the cases is the copies, which pass at some 50 GB/s. So a part is
// so large that its copies take four times as long as its calls: then the driver is busy for a
// fourth of the time where the copies are what bounds, whichever direction they take. Larger parts
// would gain little, and each thread has one: all of that memory is locked (0.2 s a GB to begin
// with), answers leave the cache of a core before they are read, and a list ends when its last part
// does.
//
// Bounds: a launch of fewer cases than kLeastPartCases leaves most of a large GPU idle, however
// long their rows are; more than kMostPartCases take a thread a millisecond or more, and a list of
// millions of rows ends unevenly.
#pragma once

#include <cstdint>

namespace mpf {

inline constexpr uint32_t kLeastPartCases = uint32_t{1} << 15;
inline constexpr uint32_t kMostPartCases = uint32_t{1} << 18;
inline constexpr uint32_t kMostPartBytes = uint32_t{64} << 20;

/// Of cases that take `caseBytes` on their way up and down together: a power of two. 0: so few fit
/// the memory of a part that parts would leave the device idle.
uint32_t partCases(double caseBytes);

/// Into how many parts a block goes: about as large as partCases, that is `part`, says.
uint32_t partCount(uint32_t blockCases, uint32_t part);

/// For a list of `rows` that several threads send: a smaller block than `part`, but not below
/// kLeastPartCases, where some threads would have many blocks fewer than others.
uint32_t evenPartCases(uint32_t part, uint64_t rows, uint64_t threads);

} // namespace mpf
