// Host programs name states whose labels are numbers in any order. A string is a label, and an
// integer is a place. A number in the words of a model is a state only if both readings agree.
#include "runtime/api/session.h"
#include "tests/support/error_kind.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <optional>
#include <random>

namespace mpf {
namespace {

using Labels = std::vector<std::string>;

Labels randomLabels(std::mt19937_64 &random) {
  static const std::vector<Labels> kKinds = {
      {"1", "2"}, {"0", "1", "2"}, {"1", "0"}, {"-1", "0", "1"}, {"01", "1"}};
  Labels labels = kKinds[random() % kKinds.size()];
  std::ranges::shuffle(labels, random);
  return labels;
}

/// Returns a model of y with these labels, and of x, which is 1 with the probability
/// (place of y + 1) / 8.
std::string textOf(const Labels &labels) {
  std::string states, rows;
  for (size_t i = 0; i < labels.size(); ++i) {
    states += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", labels[i]);
    const double one = static_cast<double>(i + 1) / 8;
    rows += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", 1 - one, one);
  }
  return fmt::format("var x : 2\nvar y : {{ {} }}\nprob P(y) = normalise({})\n"
                     "prob P(x | y) = [{}]\nquery P(x)\n",
                     states, labels.size() == 2 ? "[1, 1]" : "[1, 1, 1]", rows);
}

/// Returns the place of y's observed state, by the posterior of x.
size_t placeIn(Session &session) {
  const double one = session.run().at("x", "1").value().value();
  return static_cast<size_t>(one * 8 + 0.5) - 1;
}

/// Returns the place that a number means in the words of a model.
std::optional<size_t> placeOf(const Labels &labels, const std::string &number) {
  const double value = std::stod(number);
  size_t label = labels.size();
  for (size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == number || (std::stod(labels[i]) == value && label == labels.size()))
      label = i;
  const bool isBoth = label < labels.size() && static_cast<double>(label) == value;
  return isBoth ? std::optional(label) : std::nullopt;
}

TEST(NumberLabels, HostProgramsNameOneState) {
  std::mt19937_64 random(46);
  for (int trial = 0; trial < trials(60) && !testing::Test::HasFailure(); ++trial) {
    const Labels labels = randomLabels(random);
    const std::string text = textOf(labels);
    SCOPED_TRACE(text);
    Session session(compileText(text, {.observe = fmt::format("y = \"{}\"", labels[0])}));
    for (uint32_t i = 0; i < labels.size(); ++i) {
      session.observe("y", std::string_view(labels[i]));
      EXPECT_EQ(placeIn(session), i);
      session.observe("y", i);
      EXPECT_EQ(placeIn(session), i);
    }
    EXPECT_EQ(errorKindOf([&] { session.observe("y", std::string_view("3")); }), ErrorKind::Usage);
    for (const char *number : {"-1", "0", "1", "2", "3"}) {
      const auto ask = [&] {
        Session asked(compileText(text, {.observe = fmt::format("y = {}", number)}));
        return placeIn(asked);
      };
      const std::optional<size_t> wanted = placeOf(labels, number);
      if (wanted)
        EXPECT_EQ(ask(), *wanted) << number;
      else
        EXPECT_EQ(errorKindOf([&] { ask(); }), ErrorKind::Usage) << number;
    }
  }
}

} // namespace
} // namespace mpf
