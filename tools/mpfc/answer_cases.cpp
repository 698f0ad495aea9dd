#include "tools/mpfc/answer_cases.h"

#include "codegen/cases/block_indicators.h"
#include "codegen/cases/case_axis.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/api/mpf.h"
#include "tools/mpfc/compile_queries.h"
#include "tools/mpfc/session_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

namespace mpf::driver {

namespace {

/// Cases that one run answers. Large enough that a run's fixed costs are small, small enough that
/// messages of usual networks stay in the caches of a CPU.
constexpr uint32_t kMostBlockCases = 1024;

constexpr ScaledNumber kNoAnswer{std::numeric_limits<double>::quiet_NaN(), 0};

struct CompiledCases {
  CaseModel cases;
  Program program;
};

uint32_t blockFor(uint64_t caseCount) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(caseCount, 1, kMostBlockCases));
}

/// In the largest blocks that the memory bound allows.
CompiledCases compileCases(const Model &model, const Query &query, const Options &options) {
  for (uint32_t block = blockFor(model.evidence.caseCount);; block /= 2) {
    CaseModel cases = withCaseAxis(model, query, block);
    try {
      Bundle bundle = compileQuery(cases.model, cases.query, options);
      return {std::move(cases), Program(std::make_shared<const Bundle>(std::move(bundle)))};
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::MemoryBound || block == 1)
        throw;
    }
  }
}

/// The entries of the query's own table, as "a=0, b=yes"; one empty name for a number.
std::vector<std::string> entryNames(const Model &model, const std::vector<VarId> &output) {
  std::vector<std::string> names = {""};
  for (const VarId id : output) {
    const Variable &variable = model.variable(id);
    std::vector<std::string> longer;
    for (const std::string &name : names)
      for (uint32_t state = 0; state < variable.extent; ++state)
        longer.push_back(
            fmt::format("{}{}{}={}", name, name.empty() ? "" : ", ", variable.name,
                        variable.labels.empty() ? std::to_string(state) : variable.labels[state]));
    names = std::move(longer);
  }
  return names;
}

std::vector<CaseColumn> emptyColumns(const Model &model, const Query &query) {
  std::vector<CaseColumn> columns;
  for (const std::string &entry : entryNames(model, query.output)) {
    const bool isNumber = query.output.empty();
    const std::string_view name = traitsOf(query.kind).isExpression()
                                      ? std::string_view(query.name)
                                      : traitsOf(query.kind).keyword;
    columns.push_back({!isNumber                             ? fmt::format("{}({})", name, entry)
                       : traitsOf(query.kind).isExpression() ? query.name
                                                             : fmt::format("ln({})", name),
                       {}});
    columns.back().values.reserve(model.evidence.caseCount);
  }
  return columns;
}

/// Takes the entries of one case, which may be fractions of their sum.
class CaseReader {
public:
  CaseReader(const Query &query, const ResultTable &table) : query_(query), table_(table) {}

  void read(uint64_t number, std::vector<CaseColumn> &columns) const {
    const size_t first = number * columns.size();
    if (!traitsOf(query_.kind).isQuotient) {
      for (size_t i = 0; i < columns.size(); ++i)
        columns[i].values.push_back(shown(table_.at(first + i)));
      return;
    }
    const std::vector<double> parts = fractions(first, columns.size());
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i].values.push_back(parts.empty() ? kNoAnswer : ScaledNumber::fromValue(parts[i]));
  }

private:
  ScaledNumber shown(const ScaledNumber &number) const {
    const bool isLogarithm = query_.output.empty() && !traitsOf(query_.kind).isExpression();
    return isLogarithm ? ScaledNumber::fromValue(number.ln()) : number;
  }

  /// One case's entries as fractions of their sum; empty: all are zero.
  std::vector<double> fractions(size_t first, size_t count) const {
    std::vector<double> parts(table_.entries.begin() + static_cast<ptrdiff_t>(first),
                              table_.entries.begin() + static_cast<ptrdiff_t>(first + count));
    if (table_.logEntries) { // relative to the greatest, so that sums neither overflow nor vanish
      const double greatest = *std::max_element(parts.begin(), parts.end());
      if (std::isinf(greatest))
        return {};
      for (double &part : parts)
        part = std::exp2(part - greatest);
    }
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (sum == 0)
      return {};
    for (double &part : parts)
      part /= sum;
    return parts;
  }

  const Query &query_;
  const ResultTable &table_;
};

std::string cellOf(const ScaledNumber &number) {
  if (std::isnan(number.mantissa))
    return "";
  if (const std::optional<double> value = number.value())
    return fmt::format("{}", *value);
  return fmt::format("{}10^{}", number.sign() < 0 ? "-" : "", number.log10());
}

/// RFC 4180: cells with commas, quotes or ends of lines stand in quotes.
std::string quoted(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string cell = "\"";
  for (const char c : text)
    cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

} // namespace

std::vector<CaseColumn> answerCases(const Model &model, const Query &query,
                                    const Options &options) {
  if (isIntegerType(elementTypeOf(query, options.type)))
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: lists of cases (observe cases) are not supported in whole numbers yet",
           query.name);
  const CompiledCases compiled = compileCases(model, query, options);
  const CaseModel &cases = compiled.cases;
  const uint32_t block = cases.model.variable(cases.axis).extent;
  std::vector<CaseColumn> columns = emptyColumns(model, query);
  Session session(compiled.program, sessionOptionsFor(options));
  for (uint64_t first = 0; first < model.evidence.caseCount; first += block) {
    for (const CaseIndicator &indicator : cases.indicators)
      session.bind(cases.model.factor(indicator.factor).name,
                   blockIndicator(model.evidence, indicator.variable,
                                  model.variable(indicator.variable).extent, first, block));
    const Result result = session.run();
    MPF_CHECK(result.tables.size() == 1, "{} tables for one query", result.tables.size());
    const CaseReader reader(query, result.tables.front());
    const uint64_t count = std::min<uint64_t>(block, model.evidence.caseCount - first);
    for (uint64_t number = 0; number < count; ++number)
      reader.read(number, columns);
  }
  return columns;
}

std::string casesToCsv(const std::vector<CaseColumn> &columns) {
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ",") + quoted(columns[i].name);
  text += '\n';
  const size_t rows = columns.empty() ? 0 : columns.front().values.size();
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < columns.size(); ++i)
      text += cellOf(columns[i].values[row]) + (i + 1 == columns.size() ? '\n' : ',');
  return text;
}

} // namespace mpf::driver
