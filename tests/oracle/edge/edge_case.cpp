#include "tests/oracle/edge/edge_case.h"

#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/model/print/print_model.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/support/semiring.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::oracle {

namespace {

/// Returns the shorter list of passes of the simplifier that run, or do not; empty if all run.
std::string passesText(const EdgeOptions &options) {
  const std::vector<SimplifyPass> &passes = simplifyPasses();
  const auto &off = options.offPasses;
  if (!options.finalTables || off.empty())
    return {};
  const bool fewOff = off.size() * 2 < passes.size();
  std::string text = fewOff ? ", without" : ", only";
  for (const SimplifyPass &pass : passes)
    if ((std::find(off.begin(), off.end(), pass.name) != off.end()) == fewOff)
      text += fmt::format(" {}", pass.name);
  return text;
}

} // namespace

std::string optionsText(const EdgeOptions &options) {
  std::string text = options.path == EdgePath::Direct   ? "compiled from the model"
                     : options.path == EdgePath::Stored ? "stored and read again"
                                                        : "printed and compiled from text";
  text += options.finalTables ? ", final tables" : ", not simplified";
  text += options.finalEvidence ? ", final evidence" : "";
  text += passesText(options);
  text += options.forcedLog ? ", log" : "";
  text += fmt::format(", {}", elementTypeName(options.type));
  if (options.keep != KeptMessages::None)
    text += options.keep == KeptMessages::All ? ", keeps all" : ", keeps constants";
  if (options.memoryShare > 0)
    text += fmt::format(", {} of the memory", options.memoryShare);
  if (options.slicedVariables > 0)
    text += fmt::format(", {} sliced (seed {})", options.slicedVariables, options.sliceSeed);
  text += options.threads > 1 ? fmt::format(", {} threads", options.threads) : "";
  text += options.verifySamples > 0 ? ", verified" : "";
  text += options.compiled ? ", compiled kernels" : "";
  text += !options.gpu ? "" : options.specialisedKernels ? ", gpu (specialised)" : ", gpu";
  return text;
}

bool EdgeCase::changesTables() const {
  for (const Model &run : later)
    for (size_t i = 0; i < run.factors.size(); ++i)
      if (!input[i] && *run.factors[i].values != *model.factors[i].values)
        return true;
  return false;
}

std::string queryText(const Query &query) {
  if (query.kind != QueryKind::Expression)
    return std::string(queryKindName(query.kind));
  if (query.reductions.empty())
    return query.combine == Combine::Times ? "plain product" : "plain sum";
  return std::string(semiringName({query.reductions.front().reduce, query.combine}));
}

// A product of one factor has no operator that shows how it is combined. A variable in no factor is
// a mistake in a text.
bool hasText(const Model &model, const Query &query) {
  if (query.kind == QueryKind::Joint)
    return !query.output.empty();
  if (query.kind != QueryKind::Expression)
    return true;
  std::vector<char> known(model.variables.size(), 0);
  for (const FactorId id : query.factors)
    for (const VarId v : model.factor(id).scope)
      known[v.index()] = 1;
  const auto isKnown = [&known](VarId v) { return known[v.index()] != 0; };
  return query.factors.size() > 1 && std::ranges::all_of(query.output, isKnown) &&
         std::ranges::all_of(query.reductions, [&](const QueryReduction &reduction) {
           return std::ranges::all_of(reduction.variables, isKnown);
         });
}

std::string describe(const EdgeCase &edge) {
  std::string text = optionsText(edge.options) + '\n';
  for (size_t i = 0; i < edge.input.size(); ++i)
    if (edge.input[i])
      text += fmt::format("# input, bound before every run: {}\n", edge.model.factors[i].name);
  for (size_t run = 0; run < edge.runs(); ++run) {
    if (edge.runs() > 1)
      text += fmt::format("# run {}\n", run + 1);
    Model model = edge.modelOf(run);
    model.queries = {edge.query};
    text += printMpf(model);
  }
  return text;
}

} // namespace mpf::oracle
