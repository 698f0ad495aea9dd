#include "tools/mpf-bench/measure/case_ways.h"

#include "runtime/engine/list/engine_rows.h"
#include "runtime/engine/refusal.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/query_policy.h"

#include <algorithm>

namespace mpf::bench {

namespace {

/// A number of expected runs for which compiling kernels always pays.
constexpr double kManyRuns = 1e9;

driver::Options optionsFor(const MeasuredCases &cases, const CaseBenchOptions &options) {
  driver::Options run;
  run.command = "run";
  run.purpose = Purpose::OneRun;
  run.type = elementTypeNamed(options.type);
  run.devices = deviceRequestOf(options.device);
  run.threads = options.threads;
  run.expectedRuns = kManyRuns;
  return driver::withMemoryBound(run, cases.model);
}

} // namespace

CaseRows::CaseRows(const CaseBlock &block)
    : count_(block.count), columns_(block.columns()),
      weightCount_(block.weights().size() / std::max(block.pitch(), 1U)), codes_(count_ * columns_),
      weights_(count_ * weightCount_) {
  for (size_t column = 0; column < columns_; ++column)
    for (uint32_t i = 0; i < block.count; ++i)
      codes_[i * columns_ + column] = block.code(column, i);
  for (size_t number = 0; number < weightCount_; ++number)
    for (uint32_t i = 0; i < block.count; ++i)
      weights_[i * weightCount_ + number] = block.weights()[number * block.pitch() + i];
}

void CaseRows::interleave(uint64_t first, uint32_t v, CaseBlock &block) const {
  block.count = v;
  for (uint32_t i = 0; i < v; ++i) {
    const uint64_t row = (first + i) % count_;
    for (size_t column = 0; column < columns_; ++column)
      block.setCode(column, i, code(row, column));
    for (size_t number = 0; number < weightCount_; ++number)
      block.weights()[number * block.pitch() + i] = weight(row, number);
  }
}

LanePlan planLanes(const MeasuredCases &cases, const Query &query,
                   const CaseBenchOptions &options) {
  driver::Refusals none; // every error is thrown
  QueryPolicy policy = driver::queryPolicyFor(optionsFor(cases, options), none);
  policy.report = {};
  return mpf::planLanes(cases.model, query, cases.schema, policy);
}

std::optional<CaseEngine> engineFor(AnswerForm form, const MeasuredCases &cases, const Query &query,
                                    uint32_t v, const CaseBenchOptions &options) {
  const driver::Options run = optionsFor(cases, options);
  const CaseProblem problem{cases.model, cases.schema, query, driver::caseSettingsFor(run), v, {}};
  try {
    return engineRowOf(form).plan(problem).open();
  } catch (const Error &error) {
    if (!isRefusal(error))
      throw;
    return std::nullopt;
  }
}

} // namespace mpf::bench
