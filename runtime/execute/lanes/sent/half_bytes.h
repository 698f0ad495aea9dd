// HALF BYTES: codes of at most 15 states are sent to a device in four bits each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// The code for "not observed"; states are below it.
inline constexpr uint32_t kHalfByteNone = 15;

/// Packs `count` bytes into (count + 1) / 2. Byte i goes to the low half of to[i / 2] for even i,
/// to the high half for odd i; the last half is 0 if `count` is odd. Bytes from `none` on become
/// kHalfByteNone; `none` is at least kHalfByteNone.
///
/// Returns false, with undefined contents of `to`, if a byte is at least kHalfByteNone and below
/// `none`. The stores to `to` bypass the caches and are visible to the device. Thread-safe.
bool packHalfBytes(const std::byte *from, size_t count, uint32_t none, std::byte *to);

/// Returns the implementations of packHalfBytes for this processor: the fastest first, then others
/// for tests.
using HalfBytePacker = bool (*)(const std::byte *from, size_t count, uint32_t none, std::byte *to);
std::vector<HalfBytePacker> halfBytePackers();

} // namespace mpf
