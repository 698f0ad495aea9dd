// HALF BYTES: codes of at most 15 states take four bits each on their way to a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Says "not observed"; states are below it.
inline constexpr uint32_t kHalfByteNone = 15;

/// Packs `count` bytes into (count + 1) / 2: byte i goes to the low half of to[i / 2] for even i,
/// to the high half for odd i; the last half is 0 if `count` is odd. Bytes from `none` on, which is
/// at least kHalfByteNone, become kHalfByteNone. False: there is a byte from kHalfByteNone on and
/// below `none`; then what is at `to` means nothing. The memory at `to` is for a device: it does
/// not enter the caches, and what is written is visible to the device. Thread-safe.
bool packHalfBytes(const std::byte *from, size_t count, uint32_t none, std::byte *to);

/// What packHalfBytes may be on this processor: the fastest first, then others for tests.
using HalfBytePacker = bool (*)(const std::byte *from, size_t count, uint32_t none, std::byte *to);
std::vector<HalfBytePacker> halfBytePackers();

} // namespace mpf
