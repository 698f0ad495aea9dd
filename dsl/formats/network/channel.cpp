#include "dsl/formats/network/channel.h"

#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

Channel channelNamed(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (text == "llr")
    return {ChannelKind::Ratios};
  const double number = colon == text.npos ? -1 : parseDouble(text.substr(colon + 1)).value_or(-1);
  if (name == "bsc" && number >= 0 && number <= 1)
    return {ChannelKind::Symmetric, number};
  if (name == "awgn" && number > 0 && std::isfinite(number))
    return {ChannelKind::Gaussian, number};
  fail(ErrorKind::Usage,
       "{} {}: expected llr, bsc:P with a probability of flips, or awgn:SIGMA with the deviation "
       "of the noise",
       kChannelOption, excerpt(text));
}

} // namespace mpf
