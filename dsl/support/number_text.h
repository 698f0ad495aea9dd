// Numbers as text, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The shortest text that reads back to the same bits: "0.1", "1e-300", "-0", "inf", "-inf", "nan".
std::string formatDouble(double value);

/// The whole of `text` as a double: decimal or scientific, "inf", "nan"; a leading '+' is allowed.
/// Nothing when `text` is anything else. A magnitude out of range gives 0 or inf with its sign.
std::optional<double> parseDouble(std::string_view text);

/// The whole of `text` as an unsigned decimal integer. Nothing when it is anything else or does not
/// fit 64 bits.
std::optional<uint64_t> parseUnsigned(std::string_view text);

/// "12.5 MiB": a number of bytes for people, in binary units, with at most four digits.
std::string formatBytes(uint64_t bytes);

/// Returns formatBytes followed by the exact number: "4 KiB (4096 bytes)".
std::string formatBytesExactly(uint64_t bytes);

/// The bytes of "512", "64K", "1.5GiB", "2GB". The units K, M, G, T and KiB, .. are binary, KB, ..
/// are decimal. Nothing when `text` is anything else or is 2^63 or more.
std::optional<uint64_t> parseBytes(std::string_view text);

} // namespace mpf
