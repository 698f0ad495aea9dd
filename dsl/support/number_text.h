// Numbers as text, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the shortest text that reads back to the same bits: "0.1", "1e-300", "-0", "inf",
/// "-inf", "nan".
std::string formatDouble(double value);

/// Reads the whole of `text` as a double: decimal or scientific, "inf", "nan"; a leading '+' is
/// allowed. Returns nothing for other texts. A magnitude out of range gives 0 or inf with its sign.
std::optional<double> parseDouble(std::string_view text);

/// Reads the whole of `text` as an unsigned decimal integer. Returns nothing for other texts, and
/// for numbers that do not fit 64 bits.
std::optional<uint64_t> parseUnsigned(std::string_view text);
/// The same for a number that may be below 0.
std::optional<int64_t> parseInteger(std::string_view text);

/// Returns a number of bytes as text for users, in binary units, with at most four digits: "12.5
/// MiB".
std::string formatBytes(uint64_t bytes);

/// Returns formatBytes followed by the exact number: "4 KiB (4096 bytes)".
std::string formatBytesExactly(uint64_t bytes);

/// Reads a number of bytes: "512", "64K", "1.5GiB", "2GB". The units K, M, G, T and KiB, .. are
/// binary, KB, .. are decimal. Returns nothing for other texts, and for 2^63 bytes or more.
std::optional<uint64_t> parseBytes(std::string_view text);

} // namespace mpf
