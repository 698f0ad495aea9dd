#include "tools/mpf-bench/networks/draw_networks.h"

#include "tools/mpf-bench/shapes/random_draw.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <utility>
#include <vector>

namespace mpf::bench {

namespace {

void addVariable(Model &model, const std::string &name, uint32_t extent) {
  Variable variable;
  variable.name = name;
  variable.extent = extent;
  model.variables.push_back(std::move(variable));
}

Factor &addFactor(Model &model, std::string name, std::vector<VarId> scope,
                  std::vector<double> values) {
  Factor factor;
  factor.name = factor.family = std::move(name);
  factor.scope = std::move(scope);
  factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  model.factors.push_back(std::move(factor));
  return model.factors.back();
}

double entriesOf(const Model &model, const std::vector<VarId> &scope) {
  double entries = 1;
  for (const VarId id : scope)
    entries *= model.variable(id).extent;
  return entries;
}

/// Returns the scopes of all buckets, by variable; that of the last variable is the root.
std::vector<std::vector<VarId>> drawBuckets(const Model &model, double largest, RandomDraw &draw) {
  constexpr uint32_t kNear = 8;      // trees of this kind are long, with short branches
  constexpr double kKeepsAim = 0.75; // large tasks are neighbours
  const auto count = static_cast<uint32_t>(model.variables.size());
  std::vector<std::vector<VarId>> buckets(count);
  std::vector<double> aims(count, largest); // entries of each
  buckets[count - 1] = {VarId{count - 1}};
  for (uint32_t i = count - 1; i-- > 0;) {
    const uint32_t parent = draw.between(i + 1, std::min(count - 1, i + kNear));
    aims[i] = draw.uniform() < kKeepsAim ? aims[parent] : draw.logUniform(4, largest);
    std::vector<VarId> candidates = buckets[parent];
    draw.shuffle(candidates);
    buckets[i] = {VarId{i}};
    double entries = model.variables[i].extent;
    for (const VarId id : candidates) {
      entries *= model.variable(id).extent;
      if (buckets[i].size() > 1 && entries > aims[i])
        break;
      buckets[i].push_back(id);
    }
    std::sort(buckets[i].begin(), buckets[i].end());
  }
  return buckets;
}

constexpr size_t kMostScope = 6; ///< most variables of a function; applications have no larger ones

/// Returns functions over parts of the bucket. Each has the bucket's variable; together they cover
/// the bucket.
void addFunctions(Model &model, uint32_t bucket, std::vector<VarId> others, RandomDraw &draw) {
  std::erase(others, VarId{bucket});
  draw.shuffle(others);
  const size_t parts =
      std::max<size_t>(draw.between(1, 3), (others.size() + kMostScope - 2) / (kMostScope - 1));
  for (size_t part = 0; part < std::min(parts, std::max<size_t>(others.size(), 1)); ++part) {
    std::vector<VarId> scope = {VarId{bucket}};
    for (size_t i = part; i < others.size(); i += parts)
      scope.push_back(others[i]);
    std::vector<double> values(static_cast<size_t>(entriesOf(model, scope)));
    for (double &value : values)
      value = 0.05 + 0.95 * draw.uniform();
    addFactor(model, fmt::format("f{}_{}", bucket, part), std::move(scope), std::move(values));
  }
}

/// Row-major over (causes..., finding): P(finding absent | causes) = (1 - leak) prod (1 - p_i).
std::vector<double> noisyOr(const std::vector<double> &strengths, double leak) {
  std::vector<double> values;
  for (size_t row = 0; row < size_t{1} << strengths.size(); ++row) {
    double absent = 1 - leak;
    for (size_t i = 0; i < strengths.size(); ++i)
      if ((row >> (strengths.size() - 1 - i) & 1) != 0)
        absent *= 1 - strengths[i];
    values.push_back(absent);
    values.push_back(1 - absent);
  }
  return values;
}

} // namespace

Model drawTaskTree(const TaskTreeOptions &options) {
  RandomDraw draw(options.seed);
  Model model;
  model.name = fmt::format("gems-{:04}-{}", options.tasks, options.seed);
  for (uint32_t i = 0; i < options.tasks; ++i)
    addVariable(model, fmt::format("x{}", i), draw.between(2, 4));
  const auto buckets = drawBuckets(model, options.largestBucket, draw);
  for (uint32_t i = 0; i < options.tasks; ++i)
    addFunctions(model, i, buckets[i], draw);
  return model;
}

Model drawDiseaseNetwork(const DiseaseNetworkOptions &options) {
  RandomDraw draw(options.seed);
  Model model;
  model.name = fmt::format("qmr-{:04}-{}", options.nodes, options.seed);
  const uint32_t diseases = std::max(1u, options.nodes / 5);
  std::vector<uint32_t> states; // one draw of all nodes
  std::vector<Observation> observed;
  for (uint32_t i = 0; i < diseases; ++i) {
    addVariable(model, fmt::format("disease{}", i), 2);
    const double prior = draw.logUniform(0.005, 0.2);
    addFactor(model, fmt::format("P(disease{})", i), {VarId{i}}, {1 - prior, prior}).conditional =
        true;
    states.push_back(draw.uniform() < prior ? 1 : 0);
  }
  for (uint32_t i = diseases; i < options.nodes; ++i) {
    addVariable(model, fmt::format("finding{}", i - diseases), 2);
    const uint32_t window = std::min(options.window, diseases);
    const uint32_t first = draw.between(0, diseases - window);
    std::vector<uint32_t> near(window);
    for (uint32_t d = 0; d < window; ++d)
      near[d] = first + d;
    draw.shuffle(near);
    near.resize(draw.between(1, std::min(options.mostCauses, window)));
    std::vector<VarId> scope;
    std::vector<double> strengths;
    for (const uint32_t cause : near) {
      scope.push_back(VarId{cause});
      strengths.push_back(0.2 + 0.7 * draw.uniform());
    }
    scope.push_back(VarId{i});
    const std::vector<double> values = noisyOr(strengths, draw.logUniform(0.001, 0.05));
    size_t row = 0;
    for (const uint32_t cause : near)
      row = 2 * row + states[cause];
    states.push_back(draw.uniform() < values[2 * row + 1] ? 1 : 0);
    addFactor(model, fmt::format("P(finding{})", i - diseases), std::move(scope), values)
        .conditional = true;
    if (draw.uniform() < options.observed)
      observed.push_back({VarId{i}, states.back()});
  }
  model.evidence.add(std::move(observed));
  return model;
}

} // namespace mpf::bench
