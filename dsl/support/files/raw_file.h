// The bytes of a file, pipe or device as they are: bounded, and never waiting for a writer that
// does not come.
#pragma once

#include <cstdint>
#include <string>

namespace mpf {

/// Devices give no end by themselves (/dev/zero); no text is handed over by one that is longer.
inline constexpr uint64_t kMaxDeviceBytes = uint64_t{16} << 20;

/// Seconds that a named pipe may be without a writer.
inline constexpr int kPipeWaitSeconds = 3;

/// The whole of `path`. Throws Error(BadInput) for what cannot be read, folders, more than
/// `maxBytes` (of a plain file before any of it is read), pipes that nobody writes to.
std::string readRawFile(const std::string &path, uint64_t maxBytes);

/// The whole of the standard input, however long that takes.
std::string readRawStdin(uint64_t maxBytes);

} // namespace mpf
