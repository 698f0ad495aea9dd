#include "tools/mpfc/print_answers.h"

#include "dsl/support/text/shown_text.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"

#include <fmt/core.h>

namespace mpf::driver {

bool lacksAnswer(const Result &result) {
  return result.zeroProbability && !traitsOf(result.kind).ifImpossible.empty();
}

namespace {

/// "beta=0.5, wet=yes, without x[3]"
std::string givenText(const GivenValues &given) {
  std::string text;
  const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
  for (const auto &[name, value] : given.params)
    add(std::visit([&key = name](const auto &one) { return fmt::format("{}={}", key, one); },
                   value));
  if (!given.observed.empty())
    add(given.observed);
  if (!given.unobserved.empty())
    add("without " + given.unobserved);
  return text;
}

} // namespace

std::string textOf(const Answers &answers, bool profile, bool folds) {
  PrintOptions print;
  print.profile = profile;
  print.folds = folds;
  std::string text;
  if (const std::string given = givenText(answers.given); !given.empty())
    text = fmt::format("given: {}\n{}", withoutControls(given), answers.queries > 1 ? "\n" : "");
  for (const Result &result : answers.results) {
    if (answers.queries > 1)
      text += fmt::format("{}query {}\n", &result == answers.results.data() ? "" : "\n",
                          withoutControls(result.query));
    text += printResult(result, print);
  }
  return text;
}

std::string jsonOf(const Answers &answers) {
  std::string text;
  const auto add = [&text](std::string object) {
    while (object.ends_with('\n'))
      object.pop_back();
    text += (text.empty() ? "[\n" : ",\n") + object;
  };
  for (const Result &result : answers.results)
    add(resultToJson(result, answers.given));
  for (const Refusal &refusal : answers.refused)
    add(refusalToJson(refusal.query, refusal.message, refusal.exitCode));
  return text + "\n]\n";
}

} // namespace mpf::driver
