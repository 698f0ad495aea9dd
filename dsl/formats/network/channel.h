// A channel over which the words of a code come, as the option --channel names it.
#pragma once

#include <cstdint>
#include <string_view>

namespace mpf {

enum class ChannelKind : uint8_t {
  Ratios,    ///< a received number is ln P(bit = 0) - ln P(bit = 1)
  Symmetric, ///< a received number is a bit, flipped with the probability `number`
  Gaussian,  ///< a bit is sent as 1 - 2 * bit, and noise of deviation `number` is added
};

struct Channel {
  ChannelKind kind = ChannelKind::Ratios;
  double number = 0;
  friend bool operator==(const Channel &, const Channel &) = default;
};

/// The name of the option on the command line.
inline constexpr std::string_view kChannelOption = "--channel";

/// Whether a channel may have the number: P of bsc is from 0 to 1, SIGMA of awgn is finite and
/// above 0. Received numbers, those of llr, are finite.
bool isNumberOf(ChannelKind kind, double number);

/// Returns the channel of a text: llr, bsc:P or awgn:SIGMA. Throws Error(Usage) for other texts.
Channel channelNamed(std::string_view text);

} // namespace mpf
