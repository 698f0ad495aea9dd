// mpfc check: prints one line about a correct model, or its errors.
#include "codegen/plan/initial/initial_program.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/noisy_max.h"
#include "dsl/source/verify_diagnostics.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "dsl/syntax/spelling.h"
#include "tools/mpfc/cases/bad_row_report.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

/// The most cases that are checked if params are swept: their combinations may take too long. Lists
/// in files are checked completely.
constexpr uint64_t kMostSweptCases = uint64_t{1} << 24;

bool isWarning(const Diagnostic &diagnostic) {
  return diagnostic.severity == Severity::Warning || diagnostic.severity == Severity::Performance;
}

void failIfBad(const CaseSource &cases, bool areSwept) {
  const BadRows &bad = cases.badRows();
  const std::string shown = showMessages(bad);
  if (bad.count != 0)
    fail(ErrorKind::BadInput, "{} of {} {} bad{}", countedRows(bad.count, areSwept), cases.name(),
         bad.count == 1 ? "is" : "are", shown);
}

/// Checks every case, or the first kMostSweptCases of sweeps, and returns their number as text.
/// Throws Error(BadInput) if some are bad.
std::string checkCases(CaseSource &cases, bool areSwept) {
  constexpr uint32_t kBlockCases = 4096;
  cases.begin({OnBadRow::Skip, threadCount(0)});
  CaseBlock block(cases.schema(), kBlockCases);
  uint64_t count = 0;
  while ((!areSwept || count < kMostSweptCases) && cases.next(block))
    count += block.count;
  failIfBad(cases, areSwept);
  const std::optional<uint64_t> all = cases.caseCount();
  if (!areSwept || count < kMostSweptCases || (all && *all <= count))
    return counted(count, "case", "cases");
  return fmt::format("{} cases, of which the first {} were looked at",
                     all ? fmt::format("{}", *all) : "more", count);
}

/// Returns what is said of the cases. Adds its warnings to `warnings`.
std::string describeCases(const Model &model, const Options &options, size_t &warnings) {
  if (!hasManyCases(model))
    return {};
  const CaseList list = caseListOf(model, model.queries, options);
  const std::string cases = checkCases(*list.source, !list.swept.empty());
  warnings += static_cast<size_t>(!list.rowSums->takenText().empty());
  sayRowSums(list);
  return ", " + cases;
}

/// Warns of queries that `run` will refuse, and returns their number. It looks at samples,
/// gradients and expressions: all that may be refused but for the values of tables.
size_t warnOfRefused(const Model &model) {
  size_t warnings = 0;
  const auto isFitted = [&](FactorId id) { return model.factor(id).target != nullptr; };
  if (hasManyCases(model) || std::ranges::any_of(model.evidence.likelihoods, isFitted))
    return warnings;
  for (const Query &query : model.queries) {
    if (traitsOf(query.kind).isPlanned && !traitsOf(query.kind).isExpression())
      continue;
    try {
      checkedSemiring(model, query);
    } catch (const Error &refusal) {
      ++warnings;
      say("mpfc: warning: query {} is correct, but mpfc run will refuse it:\n{}\n", query.name,
          refusal.what());
    }
  }
  return warnings;
}

/// Warns of answers with more entries than a table of the language may have: few machines hold
/// them. Returns their number.
size_t warnOfSize(const Model &model) {
  Diagnostics found;
  for (const Query &query : model.queries) {
    const AnswerSize size = answerSize(model, query);
    if (size.elems > ModelLimits().maxTableElems)
      found.warning(query.place, "the answer of query {} {}", excerpt(query.name),
                    largeAnswer(query.kind, size.log2Elems));
  }
  printDiagnostics(found);
  return found.all().size();
}

/// Warns of a model that `run` refuses as it is: no query, or inputs without values. A list of
/// cases may give these. Returns the number of warnings.
size_t warnOfMissing(const Model &model) {
  size_t warnings = 0;
  if (model.queries.empty()) {
    ++warnings;
    say("mpfc: warning: the model has no query: mpfc run needs one, in the model or by --query\n");
  }
  if (hasManyCases(model))
    return warnings;
  std::vector<std::string> inputs;
  for (const Factor &factor : model.factors)
    if (isInput(factor) && storedValues(factor) == nullptr)
      inputs.push_back(factor.name);
  if (inputs.empty())
    return warnings;
  say("mpfc: warning: no values of {}, which mpfc run needs: `input default ...` or a list of "
      "cases gives them, or a host program after mpfc build\n",
      excerptList(inputs));
  return warnings + 1;
}

std::string describe(const Model &model, const Options &options, size_t &warnings) {
  uint64_t entries = 0;
  for (const Factor &factor : model.factors)
    if (const TableValues &stored = storedValues(factor)) // a wide table has more numbers
      entries += factor.wide != nullptr ? scopeElems(model, factor.scope) : stored->size();
  const size_t observed =
      model.evidence.findings.size() + (model.cases ? model.cases->schema().observed.size() : 0);
  return fmt::format(
      "{}: {}, {}, {}, {} observed, {}{}\n", model.name.empty() ? "model" : model.name,
      counted(ownVariableCount(model), "variable", "variables"),
      counted(ownFactorCount(model), "factor", "factors"),
      counted(entries, "table entry", "table entries"), observed,
      counted(model.queries.size(), "query", "queries"), describeCases(model, options, warnings));
}

} // namespace

int runCheck(const Options &options) {
  Diagnostics diagnostics(options.verifyDiagnostics ? 0 : 50);
  const LoadedModel loaded = loadModel(options, diagnostics);
  if (options.verifyDiagnostics) {
    const std::string differences = verifyDiagnostics(*loaded.source, diagnostics);
    say("{}", differences);
    return differences.empty() ? 0 : exitCode(ErrorKind::BadInput);
  }
  printDiagnostics(diagnostics);
  auto warnings = static_cast<size_t>(std::ranges::count_if(diagnostics.all(), isWarning));
  warnings += warnOfMissing(*loaded.model);
  warnings += warnOfRefused(*loaded.model);
  warnings += warnOfSize(*loaded.model);
  const std::string description = describe(*loaded.model, options, warnings);
  if (options.strict && warnings != 0)
    fail(ErrorKind::BadInput, "{} in the input, an error with --strict",
         counted(warnings, "warning", "warnings"));
  writeResult(options, description);
  return 0;
}

} // namespace mpf::driver
