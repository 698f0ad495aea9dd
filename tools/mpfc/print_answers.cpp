#include "tools/mpfc/print_answers.h"

#include "dsl/support/text/shown_text.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"

#include <fmt/core.h>

namespace mpf::driver {

bool lacksAnswer(const Result &result) {
  return result.zeroProbability && !traitsOf(result.kind).ifImpossible.empty();
}

std::string textOf(const Answers &answers, bool profile) {
  PrintOptions print;
  print.profile = profile;
  std::string text;
  if (!answers.given.empty())
    text = fmt::format("given: {}\n{}", withoutControls(answers.given),
                       answers.queries > 1 ? "\n" : "");
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
    add(resultToJson(result));
  for (const Refusal &refusal : answers.refused)
    add(refusalToJson(refusal.query, refusal.message, refusal.exitCode));
  return text + "\n]\n";
}

} // namespace mpf::driver
