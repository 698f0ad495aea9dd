#include "tools/mpf-bench/networks/draw_junction_tree.h"

#include "dsl/support/check.h"
#include "tools/mpf-bench/shapes/random_draw.h"

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <utility>
#include <vector>

namespace mpf::bench {

Model drawJunctionTree(const JunctionTreeOptions &options) {
  MPF_CHECK(options.separator < options.width, "a clique has a variable of its own");
  RandomDraw draw(options.seed);
  Model model;
  model.name = fmt::format("junction-{}-{}", options.cliques, options.width);
  std::vector<std::vector<VarId>> cliques;
  for (uint32_t c = 0; c < options.cliques; ++c) {
    Factor factor;
    factor.name = factor.family = fmt::format("clique{}", c);
    if (c > 0) {
      std::vector<VarId> shared = cliques[(c - 1) / options.children];
      draw.shuffle(shared);
      shared.resize(options.separator);
      std::sort(shared.begin(), shared.end());
      factor.scope = std::move(shared);
    }
    while (factor.scope.size() < options.width) {
      Variable variable;
      variable.name = fmt::format("x{}", model.variables.size());
      variable.extent = options.states;
      factor.scope.push_back(VarId{model.variables.size()});
      model.variables.push_back(std::move(variable));
    }
    size_t entries = 1;
    for (uint32_t i = 0; i < options.width; ++i)
      entries *= options.states;
    std::vector<double> values(entries);
    for (double &value : values)
      value = 0.05 + 0.95 * draw.uniform();
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
    cliques.push_back(factor.scope);
    model.factors.push_back(std::move(factor));
  }
  return model;
}

} // namespace mpf::bench
