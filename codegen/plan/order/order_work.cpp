#include "codegen/plan/order/order_work.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

constexpr size_t kCrowd = 3; ///< least number of messages

/// Sets the terms of `work`, those of crowded buckets too.
void setTerms(const EliminationTree::Bucket &bucket, bool goesDownward, double terms,
              RunWork &work) {
  work.terms = terms;
  work.crowdedTerms = bucket.messages >= kCrowd && !goesDownward ? terms : 0;
}

/// The work of all components that the problem represents, side by side. A traceback chooses a
/// state for the variable of each bucket.
RunWork ofAll(RunWork work, size_t buckets, const OrderProblem &problem) {
  work = work.times(problem.copiesRun);
  work.tracedSteps = problem.tracesBack ? problem.copies * static_cast<double>(buckets) : 0;
  return work;
}

/// A bucket that holds one message alone.
bool holdsOneMessage(const EliminationTree::Bucket &bucket) {
  return bucket.operands == 1 && bucket.messages == 1;
}

/// Number of answers of a bucket that compute separate products.
double ownAnswers(double answers) { return std::min(answers, 2.0); }

RunWork joinedBucket(const EliminationTree::Bucket &bucket, const OrderProblem &problem) {
  const double answers = problem.goesDownward ? static_cast<double>(bucket.messages) : 0;
  const double writes = problem.goesDownward ? 2 : 1; // a message, and its answer
  RunWork work;
  work.operations = problem.goesDownward ? bucket.runs : 0;
  if (holdsOneMessage(bucket))
    return work;
  const double passes = bucket.runs * (1 + ownAnswers(answers));
  work.levels = bucket.runs;
  work.operations += bucket.runs * (1 + answers);
  work.entries = passes * bucket.operandElems + bucket.runs * writes * bucket.readElems;
  setTerms(bucket, problem.goesDownward, passes * bucket.terms, work);
  return work;
}

RunWork wholeBucket(const EliminationTree::Bucket &bucket, bool goesDownward) {
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
  setTerms(bucket, goesDownward, bucket.runs * (1 + answers) * bucket.terms, work);
  return work;
}

/// Adds buckets up, children before parents.
class BucketSum {
public:
  explicit BucketSum(bool goesDownward) : goesDownward_(goesDownward) {}

  /// Adds `work`, that of the bucket of v; its levels are those that it adds to a chain.
  void add(Vertex v, Vertex parent, RunWork work) {
    const double level = levelOf(v) + work.levels;
    if (parent != EliminationTree::kNoVertex)
      levelOf(parent) = std::max(levelOf(parent), level);
    work.levels = goesDownward_ ? 2 * level : level;
    sum_.add(work);
  }
  const RunWork &sum() const { return sum_; }

private:
  double &levelOf(Vertex v) {
    if (v >= levels_.size())
      levels_.resize(v + 1, 0);
    return levels_[v];
  }

  const bool goesDownward_;
  RunWork sum_;
  std::vector<double> levels_; ///< by vertex: levels of the longest chain up to its bucket
};

} // namespace

OrderWorks orderWorks(const EliminationTree &tree, const std::vector<Vertex> &sequence,
                      const OrderProblem &problem) {
  BucketSum whole(problem.goesDownward), joined(problem.goesDownward);
  for (const Vertex v : sequence) {
    const EliminationTree::Bucket bucket = tree.bucket(v);
    whole.add(v, tree.parent(v), wholeBucket(bucket, problem.goesDownward));
    joined.add(v, tree.parent(v), joinedBucket(bucket, problem));
  }
  return {ofAll(whole.sum(), sequence.size(), problem),
          ofAll(joined.sum(), sequence.size(), problem)};
}

RunWork joinedSums(const EliminationTree &tree, const OrderProblem &problem) {
  RunWork sum;
  for (const Vertex v : tree.eliminated()) {
    RunWork work = joinedBucket(tree.bucket(v), problem);
    work.levels = 0;
    sum.add(work);
  }
  return ofAll(sum, tree.eliminated().size(), problem);
}

void setRuns(const EliminationTree &tree, const std::vector<Vertex> &sequence,
             const OrderProblem &problem, EliminationOrder &order) {
  const OrderWorks works = orderWorks(tree, sequence, problem);
  order.work = works.whole;
  order.runUs = problem.runCosts.runUs(order.work);
  order.joinedWork = works.joined;
  order.joinedUs = problem.runCosts.runUs(order.joinedWork);
}

} // namespace mpf
