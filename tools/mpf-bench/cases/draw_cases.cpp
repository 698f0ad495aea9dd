#include "tools/mpf-bench/cases/draw_cases.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/measure/random_cases.h"

#include <fmt/core.h>
#include <vector>

namespace mpf::bench {

namespace {

std::string field(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// Returns the text of each state of a variable; the last text, for unobserved cells, is empty.
std::vector<std::string> wordsOf(const Variable &variable) {
  std::vector<std::string> words;
  for (uint32_t state = 0; state < variable.extent; ++state)
    words.push_back(variable.labels.empty() ? fmt::format("{}", state)
                                            : field(variable.labels[state]));
  words.emplace_back();
  return words;
}

} // namespace

std::string casesCsv(const Model &model, const CaseBlock &block) {
  std::string text;
  std::vector<std::vector<std::string>> words;
  for (const Variable &variable : model.variables) {
    text += (words.empty() ? "" : ",") + field(variable.name);
    words.push_back(wordsOf(variable));
  }
  text += '\n';
  for (uint32_t i = 0; i < block.count; ++i)
    for (size_t column = 0; column < words.size(); ++column) {
      text += words[column][block.code(column, i)];
      text += column + 1 == words.size() ? '\n' : ',';
    }
  return text;
}

std::string drawCases(const DrawCasesOptions &options) {
  const MeasuredCases cases = measuredCases(options.model, options.rows, options.observed);
  if (cases.source == RowSource::Sweep)
    fail(ErrorKind::BadInput, "{} sweeps params: it has no rows to draw", options.model);
  writeFile(options.output, casesCsv(cases.model, cases.block));
  return fmt::format("{}: {} rows {}\n", options.output, cases.block.count,
                     rowSourceText(cases.source));
}

} // namespace mpf::bench
