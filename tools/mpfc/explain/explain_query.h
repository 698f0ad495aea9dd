// The library's entry point: query -> Explanation, planning it as a run would.
#pragma once

#include "codegen/pipeline/pipeline.h"
#include "tools/mpfc/explain/facts/cost_facts.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <optional>

namespace mpf {

struct ExplainOptions {
  PipelineOptions pipeline; ///< of the run that is explained
  CostOptions cost;
  std::optional<uint64_t> boundBytes; ///< what plans are held to, for the report
  std::string boundSource;            ///< where it comes from
};

/// Simplifies and plans `query` of `model` and says what a run would do. A plan that breaks the
/// memory bound is explained too, as far as its sizes can be counted, with a warning of kind
/// Refused first. Throws what Pipeline::plan throws but for MemoryBound.
QueryExplanation explainQuery(const Model &model, const Query &query,
                              const ExplainOptions &options);

/// The same for a plan that was read from its text: nothing is known about the network.
QueryExplanation explainProgram(const TableProgram &program, const ExplainOptions &options);

} // namespace mpf
