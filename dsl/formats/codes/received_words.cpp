#include "dsl/formats/codes/received_words.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

/// The words of a model for a channel.
struct ChannelText {
  std::string head;       ///< its params and functions
  const char *nothing;    ///< the received number that says nothing of a bit
  const char *likelihood; ///< of the two states of a bit, for the received number y{0}
};

ChannelText textOf(const Channel &channel) {
  const std::string number = formatDouble(channel.number);
  switch (channel.kind) {
  case ChannelKind::Symmetric:
    return {fmt::format("param flip = {}\n"
                        "def received(y, bit) =\n"
                        "  y == 0.5 ? 0.5 : y == bit ? 1 - flip : y == 1 - bit ? flip : -1\n",
                        number),
            "0.5", "[received(y{0}, 0), received(y{0}, 1)]"};
  case ChannelKind::Gaussian:
    // Without noise, which no channel has, all weights are zero: such a row of a list is refused.
    return {fmt::format("param sigma = {}\ndef noise(deviation) = deviation > 0 ? deviation : 0\n",
                        number),
            "0",
            "exp([-(y{0} - 1)^2 / (2 * noise(sigma)^2), -(y{0} + 1)^2 / (2 * noise(sigma)^2)])"};
  case ChannelKind::Ratios:
    break;
  }
  return {"", "0", "[1 / (1 + exp(-y{0})), 1 / (1 + exp(y{0}))]"};
}

} // namespace

std::string receivedText(const Channel &channel, uint64_t bits, const std::string &name,
                         const std::string &code) {
  const ChannelText words = textOf(channel);
  std::string text = fmt::format("model {}\nimport {}\n{}", name, spellString(code), words.head),
              names;
  for (uint64_t i = 0; i < bits; ++i) {
    fmt::format_to(std::back_inserter(text), "param y{} = {}\nobserve x{} ~ ", i, words.nothing, i);
    fmt::format_to(std::back_inserter(text), fmt::runtime(words.likelihood), i);
    text += '\n';
    fmt::format_to(std::back_inserter(names), "{}x{}", i == 0 ? "" : ", ", i);
  }
  return fmt::format("{}query marginals({})\nquery best\n", text, names);
}

std::string receivedParamsText(const Channel &channel, uint64_t bits) {
  const ChannelText words = textOf(channel);
  std::string text = words.head;
  for (uint64_t i = 0; i < bits; ++i)
    fmt::format_to(std::back_inserter(text), "param y{} = {}\n", i, words.nothing);
  return text;
}

std::vector<std::string> receivedParams(const Model &model) {
  std::vector<std::string> names;
  for (const Param &param : model.params)
    if (param.name == fmt::format("y{}", names.size()))
      names.push_back(param.name);
  return names;
}

} // namespace mpf
