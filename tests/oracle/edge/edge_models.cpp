#include "tests/oracle/edge/edge_models.h"

#include "codegen/simplify/simplify_pipeline.h"
#include "tests/oracle/edge/edge_values.h"
#include "tests/oracle/models/structured_models.h"

#include <algorithm>
#include <map>

namespace mpf::oracle {

namespace {

bool oneIn(std::mt19937_64 &random, uint64_t count) { return random() % count == 0; }

/// Draws mostly many small tables. Sometimes it draws few that are large enough for the runtime's
/// vector code, which does operations of some hundred addresses and more.
RandomModelOptions drawShape(std::mt19937_64 &random) {
  RandomModelOptions shape;
  if (oneIn(random, 16)) {
    shape.maxVariables = 3;
    shape.maxExtent = 20;
    shape.maxFactors = 5;
    shape.maxArity = 3;
    return shape;
  }
  shape.maxExtent = oneIn(random, 4) ? 4 : 3;
  shape.maxVariables = shape.maxExtent == 4 ? 4 : 6;
  shape.maxFactors = oneIn(random, 3) ? 10 : 5;
  shape.maxArity = 3;
  shape.zeroShare = oneIn(random, 3) ? 0.4 : 0.15;
  shape.observedShare = 0.2;
  if (oneIn(random, 4))
    shape.repeatedTables = 2;
  if (oneIn(random, 4))
    shape.reach = 2;
  return shape;
}

/// Draws the values of all factors; tables that several share stay shared.
void drawValues(std::mt19937_64 &random, Model &model, ValueDomain domain, bool infiniteZero) {
  std::map<const void *, TableValues> drawn; // looked up only
  for (Factor &factor : model.factors) {
    TableValues &values = drawn[factor.values.get()];
    if (values == nullptr)
      values = edgeValues(random, *factor.values, domain, infiniteZero);
    factor.values = values;
    factor.conditional = false; // its rows no longer sum to 1
  }
}

/// Draws another run of a session: other states, and other values for some inputs, or for some of
/// the factors if there are no inputs.
Model drawRun(std::mt19937_64 &random, const EdgeCase &edge, ValueDomain domain,
              bool infiniteZero) {
  Model run = edge.model;
  const bool any = std::count(edge.input.begin(), edge.input.end(), 1) == 0;
  for (const Finding &finding : run.evidence.findings)
    run.evidence.setState(finding.variable,
                          static_cast<uint32_t>(random() % run.variable(finding.variable).extent));
  for (size_t i = 0; i < run.factors.size(); ++i)
    if ((any || edge.input[i]) && oneIn(random, 2))
      run.factors[i].values = edgeValues(random, *run.factors[i].values, domain, infiniteZero);
  return run;
}

void drawSimplification(std::mt19937_64 &random, EdgeOptions &options) {
  const uint64_t which = random() % 8;
  options.finalTables = which > 1;
  options.finalEvidence = which > 2;
  const std::vector<SimplifyPass> &passes = simplifyPasses();
  const size_t chosen = random() % passes.size();
  for (size_t i = 0; i < passes.size(); ++i)
    if ((which == 5 && i == chosen) || (which == 6 && i != chosen))
      options.offPasses.emplace_back(passes[i].name);
}

} // namespace

EdgeCase drawCase(std::mt19937_64 &random) {
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Expression,
                                  QueryKind::Joint,    QueryKind::Marginals,
                                  QueryKind::Mpe,      QueryKind::Expression};
  EdgeCase edge;
  const RandomModelOptions shape = drawShape(random);
  edge.model = oneIn(random, 3) ? randomModel(random, shape) : structuredModel(random, shape);
  edge.query = randomQuery(random, edge.model, kKinds[random() % 6]);
  const bool isSession = oneIn(random, 4);
  // Inputs that are bound later have no known signs.
  const ValueDomain domain = domainOf(edge.query, !isSession && oneIn(random, 4));
  const bool hasInfinity =
      domain == ValueDomain::Logs ||
      (domain == ValueDomain::Costs &&
       (edge.query.reductions.empty() || edge.query.reductions.front().reduce == Reduce::Max));
  const bool infiniteZero = hasInfinity && !oneIn(random, 3);
  drawValues(random, edge.model, domain, infiniteZero);
  edge.input.assign(edge.model.factors.size(), 0);
  if (!isSession)
    return edge;
  const bool hasInputs = !oneIn(random, 3);
  for (char &input : edge.input)
    input = hasInputs && oneIn(random, 3) ? 1 : 0;
  for (size_t runs = 1 + random() % 2; runs > 0; --runs)
    edge.later.push_back(drawRun(random, edge, domain, infiniteZero));
  return edge;
}

EdgeOptions drawOptions(std::mt19937_64 &random, const EdgeCase &edge, bool gpu) {
  EdgeOptions options;
  drawSimplification(random, options);
  options.forcedLog = oneIn(random, 4);
  options.type = oneIn(random, 4) ? ElementType::F32 : ElementType::F64;
  options.threads = oneIn(random, 4) ? 2 : 1;
  options.verifySamples = oneIn(random, 8) ? 4 : 0;
  const bool session = edge.runs() > 1;
  // Data that a session binds anew must not have been final, nor may its messages be kept for good.
  options.finalEvidence = options.finalEvidence && !session;
  options.finalTables = options.finalTables && !edge.changesTables();
  constexpr KeptMessages kKept[] = {KeptMessages::Constant, KeptMessages::All, KeptMessages::None};
  options.keep = kKept[random() % (session ? 2 : 3)];
  const uint64_t path = random() % 8;
  if (path == 0)
    options.path = EdgePath::Stored;
  else if (path == 1 && hasText(edge.model, edge.query))
    options.path = EdgePath::Text;
  const uint64_t memory = random() % 10;
  options.sliceSeed = random();
  if (options.path == EdgePath::Text) {
    options.offPasses.clear();
    options.keep = options.keep == KeptMessages::None ? KeptMessages::Constant : options.keep;
  } else if (memory > 7 && !(session && edge.query.kind == QueryKind::Marginals)) {
    options.slicedVariables = 1 + random() % 3;
  }
  if (memory == 1 && edge.model.variables.size() > 3) // fewer seldom need less
    options.memoryShare = 0.5 + 0.125 * static_cast<double>(random() % 4);
  options.gpu = gpu;
  options.specialisedKernels = gpu && oneIn(random, 12);
  return options;
}

} // namespace mpf::oracle
