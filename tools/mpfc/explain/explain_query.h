// The entry point of `mpfc explain`: plans a query as a run would and collects an explanation of
// it.
#pragma once

#include "codegen/pipeline/pipeline.h"
#include "tools/mpfc/explain/facts/cost_facts.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <optional>

namespace mpf {

struct ExplainOptions {
  PipelineOptions pipeline; ///< options of the run that is explained
  CostOptions cost;
  std::optional<uint64_t> boundBytes; ///< memory bound of plans, for the report
  std::string boundSource;            ///< where the bound comes from
};

/// Simplifies and plans `query` of `model` and explains what a run would do. A plan that exceeds
/// the memory bound is explained too, as far as its sizes can be counted; its first warning is of
/// kind Refused. Throws what Pipeline::plan throws, except Error(MemoryBound).
QueryExplanation explainQuery(const Model &model, const Query &query,
                              const ExplainOptions &options);

/// The same where the query is answered for a list of cases, of which `cases` says all. `model` is
/// that of one case.
QueryExplanation explainQuery(const Model &model, const Query &query, const ExplainOptions &options,
                              CaseFacts cases);

/// The same for a plan that was read from its text: nothing is known about the network.
QueryExplanation explainProgram(const TableProgram &program, const ExplainOptions &options);

} // namespace mpf
