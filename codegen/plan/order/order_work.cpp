#include "codegen/plan/order/order_work.h"

#include <algorithm>
#include <vector>

namespace mpf {

RunWork orderWork(const EliminationTree &tree, bool goesDownward) {
  RunWork work;
  std::vector<double> levels; // by vertex: of the longest chain up to its bucket
  const auto levelOf = [&levels](Vertex v) -> double & {
    if (v >= levels.size())
      levels.resize(v + 1, 0);
    return levels[v];
  };
  for (const Vertex v : tree.sequence()) { // children before parents
    const EliminationTree::Bucket bucket = tree.bucket(v);
    double level = levelOf(v);
    const double answers = goesDownward ? static_cast<double>(bucket.messages) : 0;
    if (bucket.operands == 1 && bucket.messages == 1) { // as pass_join_buckets.h
      work.entries += bucket.runs * (bucket.messageElems - bucket.operandElems);
    } else {
      level += bucket.runs;
      work.operations += bucket.runs * (1 + answers);
      work.entries +=
          bucket.runs * (1 + std::min(answers, 2.0)) * (bucket.operandElems + bucket.messageElems);
      work.terms += bucket.runs * (1 + answers) * bucket.terms;
    }
    if (goesDownward)
      work.operations += bucket.runs;
    if (const Vertex parent = tree.parent(v); parent != EliminationTree::kNoVertex)
      levelOf(parent) = std::max(levelOf(parent), level);
    work.levels = std::max(work.levels, goesDownward ? 2 * level : level);
  }
  return work;
}

} // namespace mpf
