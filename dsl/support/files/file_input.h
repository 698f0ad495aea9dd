// Whole files into memory, compressed or not, never more than the caller allows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// Text files a person hands over: far above any published network, far below a bomb.
inline constexpr uint64_t kMaxTextFileBytes = uint64_t{2} << 30;

/// Reads `path`; contents that start like gzip, xz or zstd are unpacked, whatever the name says.
/// Throws Error(BadInput) when the file cannot be read (raw_file.h), is broken, or unpacks to more
/// than `maxBytes`, or to so much more than it is that it must be a bomb: checked while unpacking.
std::string readFile(const std::string &path, uint64_t maxBytes = kMaxTextFileBytes);

/// The contents start like those that readFile unpacks.
bool isPacked(std::string_view contents);

/// The same of the standard input.
std::string readStdin(uint64_t maxBytes = kMaxTextFileBytes);

/// The endings of packed files.
inline constexpr std::array<std::string_view, 3> kCompressionEndings = {".gz", ".xz", ".zst"};

/// `path` without a compression ending: "a/b.uai.xz" -> "a/b.uai".
std::string withoutCompressionSuffix(const std::string &path);

} // namespace mpf
