// The entry point of `mpfc explain`: plans a query as a run would and collects an explanation of
// it.
#pragma once

#include "codegen/pipeline/joint_queries.h"
#include "codegen/pipeline/pipeline.h"
#include "tools/mpfc/explain/facts/cost_facts.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <optional>

namespace mpf {

struct ExplainOptions {
  PipelineOptions pipeline; ///< options of the run that is explained
  CostOptions cost;
  std::optional<uint64_t> boundBytes; ///< memory bound of plans, for the report
  std::string boundSource;            ///< source of the bound
  bool asksGpu = false;               ///< QueryExplanation::asksGpu
};

/// Simplifies and plans `query` of `model` and explains what a run would do. A plan that exceeds
/// the memory bound is explained too, as far as its sizes can be counted; its first warning is of
/// kind Refused. Throws the errors of Pipeline::plan, except Error(MemoryBound).
QueryExplanation explainQuery(const Model &model, const Query &query,
                              const ExplainOptions &options);

/// Explains a joined query. Returns nothing if its plan does not pay, or exceeds the memory bound.
std::optional<QueryExplanation> explainJoined(const Model &model, const Query &query,
                                              const ExplainOptions &options,
                                              const JoiningPays &pays);

/// Explains a query that is answered for a list of cases, described by `cases`. `model` is the
/// model of one case.
QueryExplanation explainQuery(const Model &model, const Query &query, const ExplainOptions &options,
                              CaseFacts cases);

/// Explains a plan that was read from its text, without facts about the network.
QueryExplanation explainProgram(const TableProgram &program, const ExplainOptions &options);

} // namespace mpf
