#include "dsl/formats/network/channel.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

bool isNumberOf(ChannelKind kind, double number) {
  if (kind == ChannelKind::Symmetric)
    return number >= 0 && number <= 1;
  return std::isfinite(number) && (kind == ChannelKind::Ratios || number > 0);
}

Channel channelNamed(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (text == "llr")
    return {ChannelKind::Ratios};
  const double number = colon == text.npos ? -1 : parseDouble(text.substr(colon + 1)).value_or(-1);
  if (name == "bsc" && isNumberOf(ChannelKind::Symmetric, number))
    return {ChannelKind::Symmetric, number};
  if (name == "awgn" && isNumberOf(ChannelKind::Gaussian, number))
    return {ChannelKind::Gaussian, number};
  fail(ErrorKind::Usage,
       "{} {}: expected llr, bsc:P with a probability of flips, or awgn:SIGMA with the deviation "
       "of the noise",
       kChannelOption, excerpt(text));
}

} // namespace mpf
