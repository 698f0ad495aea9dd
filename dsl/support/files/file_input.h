// Reads whole files into memory, compressed or not, up to a limit of the caller.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// The standard input, as a path on the command line and as a name in messages.
inline constexpr const char *kStdinPath = "-";
inline constexpr const char *kStdinName = "<stdin>";

/// The limit for text files of users, far above the size of published networks.
inline constexpr uint64_t kMaxTextFileBytes = uint64_t{2} << 30;

/// Returns the contents of `path`. Contents that start like gzip, xz or zstd data are unpacked, for
/// any name. Throws Error(BadInput) if the file cannot be read (raw_input.h), is broken, or unpacks
/// to more than `maxBytes`. A file that unpacks to more than 256 MiB and 500 times its size is
/// refused too, because decompression bombs do. Throws Error(MemoryBound) if there is not enough
/// memory. Both sizes are checked while the file is unpacked.
std::string readFile(const std::string &path, uint64_t maxBytes = kMaxTextFileBytes);

/// Throws Error(BadInput) for packed bytes that unpack to as many as a decompression bomb.
void checkUnpackedBytes(const std::string &name, uint64_t packed, uint64_t unpacked);

/// Throws Error(BadInput) if `start`, the first bytes of the text file `path`, is UTF-16, with or
/// without a byte order mark. All readers of text take UTF-8.
void refuseUtf16(const std::string &path, std::string_view start);

/// Reads a text with readFile; refuses UTF-16.
std::string readTextFile(const std::string &path, uint64_t maxBytes = kMaxTextFileBytes);

/// Reads the standard input like readFile.
std::string readStdin(uint64_t maxBytes = kMaxTextFileBytes);

/// The endings of compressed files.
inline constexpr std::array<std::string_view, 3> kCompressionEndings = {".gz", ".xz", ".zst"};

/// Returns `path` without a compression ending: "a/b.uai.xz" -> "a/b.uai".
std::string withoutCompressionSuffix(const std::string &path);

} // namespace mpf
