#include "codegen/plan/order/order_work.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

/// A bucket that holds one message alone.
bool holdsOneMessage(const EliminationTree::Bucket &bucket) {
  return bucket.operands == 1 && bucket.messages == 1;
}

/// Answers of a bucket that compute products of their own.
double ownAnswers(double answers) { return std::min(answers, 2.0); }

RunWork joinedBucket(const EliminationTree::Bucket &bucket, const OrderProblem &problem) {
  const double answers = problem.goesDownward ? static_cast<double>(bucket.messages) : 0;
  const double writes = problem.goesDownward ? 2 : 1; // of a message, and of its answer
  RunWork work;
  work.operations = problem.goesDownward ? bucket.runs : 0;
  if (holdsOneMessage(bucket) && !problem.decodes)
    return work;
  const double passes = bucket.runs * (1 + ownAnswers(answers));
  work.levels = bucket.runs;
  work.operations += bucket.runs * (1 + answers);
  work.entries = passes * bucket.operandElems + bucket.runs * writes * bucket.readElems;
  work.terms = passes * bucket.terms;
  return work;
}

/// The sum over all buckets of `workOf`, whose `levels` are those that the bucket adds to a chain.
template <class WorkOf>
RunWork sumOf(const EliminationTree &tree, bool goesDownward, const WorkOf &workOf) {
  RunWork sum;
  std::vector<double> levels; // by vertex: of the longest chain up to its bucket
  const auto levelOf = [&levels](Vertex v) -> double & {
    if (v >= levels.size())
      levels.resize(v + 1, 0);
    return levels[v];
  };
  for (const Vertex v : tree.sequence()) { // children before parents
    RunWork work = workOf(tree.bucket(v));
    const double level = levelOf(v) + work.levels;
    if (const Vertex parent = tree.parent(v); parent != EliminationTree::kNoVertex)
      levelOf(parent) = std::max(levelOf(parent), level);
    work.levels = goesDownward ? 2 * level : level;
    sum.add(work);
  }
  return sum;
}

} // namespace

RunWork orderWork(const EliminationTree &tree, bool goesDownward) {
  return sumOf(tree, goesDownward, [&](const EliminationTree::Bucket &bucket) {
    const double answers = goesDownward ? static_cast<double>(bucket.messages) : 0;
    RunWork work;
    work.operations = goesDownward ? bucket.runs : 0;
    if (holdsOneMessage(bucket)) {
      work.entries = bucket.runs * (bucket.messageElems - bucket.operandElems);
      return work;
    }
    work.levels = bucket.runs;
    work.operations += bucket.runs * (1 + answers);
    work.entries =
        bucket.runs * (1 + ownAnswers(answers)) * (bucket.operandElems + bucket.messageElems);
    work.terms = bucket.runs * (1 + answers) * bucket.terms;
    return work;
  });
}

RunWork joinedWork(const EliminationTree &tree, const OrderProblem &problem) {
  return sumOf(tree, problem.goesDownward, [&](const EliminationTree::Bucket &bucket) {
    return joinedBucket(bucket, problem);
  });
}

RunWork joinedSums(const EliminationTree &tree, const OrderProblem &problem) {
  RunWork sum;
  for (const Vertex v : tree.eliminated()) {
    RunWork work = joinedBucket(tree.bucket(v), problem);
    work.levels = 0;
    sum.add(work);
  }
  return sum;
}

void setRuns(const EliminationTree &tree, const OrderProblem &problem, EliminationOrder &order) {
  order.work = orderWork(tree, problem.goesDownward);
  order.runUs = problem.runCosts.runUs(order.work);
  order.joinedWork = joinedWork(tree, problem);
  order.joinedUs = problem.runCosts.runUs(order.joinedWork);
}

} // namespace mpf
