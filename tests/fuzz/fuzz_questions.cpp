// Any bytes as the texts of --observe, --unobserve and --query of a small model, in three lines. A
// model that was asked is still a model, and a question that is refused says why.
#include "dsl/model/build/ask_model.h"
#include "dsl/model/build/build_model.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <array>
#include <string_view>

using namespace mpf;

namespace {

/// Labels that are words, numbers and names of other things; an array; soft and hard evidence.
constexpr std::string_view kModel = R"(
model m
param p = 2
var a, b : { no, yes }
var n : { "1", "2", "0" }
var x[3] : 4
prob P(a) = [0.25, 0.75]
prob P(b | a) = [[0.5, 0.5], [0.125, 0.875]]
factor f(n, x[0]) = 1 + state(n) * x[0]
for i in 0..2: factor g(x[i], x[i+1]) = x[i] == x[i+1] ? p : 1
observe x[2] = 3
observe b ~ [0.5, 0.25]
query q = max() P(a) * P(b)
)";

Model exampleModel() {
  Diagnostics diagnostics;
  auto model =
      readMpf(std::make_shared<const SourceBuffer>("m", std::string(kModel)), diagnostics, {});
  MPF_CHECK(model.has_value(), "{}", renderDiagnostics(diagnostics));
  return std::move(*model);
}

/// The first three lines: what is observed, what is not, and what is asked. Empty ones say nothing.
ModelQuestions questionsOf(std::string_view text) {
  ModelQuestions questions;
  const std::array<std::pair<const char *, std::vector<ModelQuestions::Text> *>, 3> kinds = {
      {{"--observe", &questions.observe},
       {"--unobserve", &questions.unobserve},
       {"--query", &questions.queries}}};
  for (const auto &[name, texts] : kinds) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end != 0)
      texts->push_back(
          std::make_shared<const SourceBuffer>(name, std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return questions;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kExample = exampleModel();
  const auto source = fuzzSource(data, size);
  Model model = kExample;
  Diagnostics diagnostics;
  const bool isAsked = askModel(model, questionsOf(source->text()), {}, diagnostics);
  MPF_CHECK(isAsked == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!isAsked)
    return 0;
  const std::string fault = findModelFault(model);
  MPF_CHECK(fault.empty(), "{}", fault);
  MPF_CHECK(!model.queries.empty(), "no query is left");
  return 0;
}
