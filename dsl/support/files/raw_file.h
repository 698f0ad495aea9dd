// Reads all bytes of a file, pipe or device (raw_input.h), up to a limit.
#pragma once

#include <cstdint>
#include <string>

namespace mpf {

/// Returns all bytes of `path`. Throws as RawInput does, and Error(BadInput) for more than
/// `maxBytes`, or more than kMaxDeviceBytes of a device; a plain file of that size is not read at
/// all. Throws Error(MemoryBound) if there is not enough memory.
std::string readRawFile(const std::string &path, uint64_t maxBytes);

/// Returns all bytes of the standard input; waits for its end. Throws as readRawFile.
std::string readRawStdin(uint64_t maxBytes);

} // namespace mpf
