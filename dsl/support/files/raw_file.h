// Reads the bytes of a file, pipe or device, up to a limit. A pipe that nobody writes to is an
// error after a few seconds.
#pragma once

#include <cstdint>
#include <string>

namespace mpf {

/// The limit for devices, some of which never end (/dev/zero).
inline constexpr uint64_t kMaxDeviceBytes = uint64_t{16} << 20;

/// Seconds that readRawFile waits for a writer of a named pipe.
inline constexpr int kPipeWaitSeconds = 3;

/// All bytes of `path`. Throws Error(BadInput) for a path that cannot be read, a folder, a pipe
/// that nobody writes to, and for more than `maxBytes`; a plain file of that size is not read at
/// all. Throws Error(MemoryBound) when there is not enough memory.
std::string readRawFile(const std::string &path, uint64_t maxBytes);

/// All bytes of the standard input; waits for its end. Throws as readRawFile.
std::string readRawStdin(uint64_t maxBytes);

} // namespace mpf
