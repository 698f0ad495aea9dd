// Numbers as text: printing is the shortest text that reads back to the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Shortest round-trip text of a double: "0.1", "1e-300", "-0", "inf", "-inf", "nan".
std::string formatDouble(double value);

/// The whole of `text` as a double (decimal or scientific, leading '+' allowed, "inf", "nan");
/// nothing when any character is left over. Out-of-range magnitudes give 0 or inf with their sign.
std::optional<double> parseDouble(std::string_view text);

/// The whole of `text` as an unsigned decimal integer; nothing on overflow or leftovers.
std::optional<uint64_t> parseUnsigned(std::string_view text);

/// "12.5 MiB": bytes for people, binary units, at most four digits.
std::string formatBytes(uint64_t bytes);

/// "4 KiB (4096 bytes)": where the exact number matters too.
std::string formatBytesExactly(uint64_t bytes);

/// "512", "64K", "1.5GiB", "2GB" to bytes (K/M/G/T and KiB.. binary, KB.. decimal).
std::optional<uint64_t> parseBytes(std::string_view text);

} // namespace mpf
