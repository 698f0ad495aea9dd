#include "codegen/plan/order/elimination_tree.h"

#include "codegen/plan/order/bucket_cost.h"
#include "dsl/support/bits.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kStepsPerTry = 16;
} // namespace

EliminationTree::EliminationTree(const OrderProblem &problem, const std::vector<Vertex> &sequence)
    : problem_(&problem), nodes_(problem.extents.size()), seenAt_(problem.extents.size(), 0) {
  for (const uint64_t extent : problem.extents)
    extents_.push_back(static_cast<double>(extent));
  for (const auto &clique : problem.cliques) {
    double elems = 1;
    for (const Vertex v : clique)
      elems *= extents_[v];
    tableElems_.push_back(elems);
  }
  MPF_CHECK(problem.loops.empty() || problem.loops.size() == problem.cliques.size(),
            "{} sets of loops for {} tables", problem.loops.size(), problem.cliques.size());
  eliminated_ = sequence;
  std::sort(eliminated_.begin(), eliminated_.end());
  build(sequence);
  sumCosts();
}

void EliminationTree::build(const std::vector<Vertex> &sequence) {
  constexpr uint32_t kLast = UINT32_MAX;
  std::vector<uint32_t> place(nodes_.size(), kLast);
  for (size_t i = 0; i < sequence.size(); ++i) {
    MPF_CHECK(sequence[i] < nodes_.size() && place[sequence[i]] == kLast,
              "vertex {} of {} is eliminated twice or is none", sequence[i], nodes_.size());
    place[sequence[i]] = static_cast<uint32_t>(i);
  }
  const auto firstOf = [&](std::span<const Vertex> scope) {
    Vertex first = kNoVertex;
    for (const Vertex v : scope)
      if (place[v] != kLast && (first == kNoVertex || place[v] < place[first]))
        first = v;
    return first;
  };
  for (uint32_t i = 0; i < problem_->cliques.size(); ++i) {
    const Vertex bucket = firstOf(problem_->cliques[i]);
    if (bucket != kNoVertex)
      nodes_[bucket].tables.push_back(i);
  }
  for (const Vertex v : sequence) {
    Node &node = nodes_[v];
    startUnion();
    for (const uint32_t table : node.tables)
      unite(problem_->cliques[table]);
    for (const Vertex child : node.children)
      unite(nodes_[child].message);
    if (seenAt_[v] != unions_) { // in no table: its bucket holds it alone
      seenAt_[v] = unions_;
      united_.push_back(v);
      unitedElems_ *= extents_[v];
    }
    std::erase(united_, v);
    node.message = united_;
    node.messageElems = unitedElems_ / extents_[v];
    setCost(node, unitedElems_);
    node.parent = firstOf(node.message);
    if (node.parent != kNoVertex)
      nodes_[node.parent].children.push_back(v);
  }
}

void EliminationTree::setCost(Node &node, double bucketElems) {
  BucketOperands operands;
  for (const uint32_t table : node.tables)
    operands.add(tableElems_[table], bucketElems);
  for (const Vertex child : node.children)
    operands.add(nodes_[child].messageElems, bucketElems);
  clear(node.loops);
  for (const uint32_t table : node.tables)
    addTable(node.loops, table);
  for (const Vertex child : node.children)
    addMessage(node.loops, nodes_[child].loops);
  endLoops(node.loops);
  node.cost = runs(node.loops.bucket) *
              bucketCost(bucketElems, node.messageElems, operands, problem_->maxMessageElems);
}

EliminationTree::Bucket EliminationTree::bucket(Vertex v) const {
  const Node &node = nodes_[v];
  Bucket bucket;
  bucket.runs = runs(node.loops.bucket);
  bucket.messages = node.children.size();
  bucket.operands = node.tables.size() + node.children.size();
  bucket.messageElems = node.messageElems;
  for (const uint32_t table : node.tables)
    bucket.operandElems += tableElems_[table];
  for (const Vertex child : node.children)
    bucket.readElems += nodes_[child].messageElems;
  bucket.operandElems += bucket.readElems;
  const double excess = std::max(1.0, node.messageElems / problem_->maxMessageElems);
  bucket.terms = node.messageElems * extents_[v] * excess * excess;
  return bucket;
}

void EliminationTree::clear(NodeLoops &loops) const {
  loops.bucket = loops.message = 0;
  loops.tables.assign(problem_->loopExtents.size(), 0);
}

void EliminationTree::addTable(NodeLoops &loops, uint32_t table) const {
  if (problem_->loops.empty())
    return;
  loops.bucket |= problem_->loops[table];
  forBits(problem_->loops[table], [&loops](size_t loop) { ++loops.tables[loop]; });
}

void EliminationTree::addMessage(NodeLoops &loops, const NodeLoops &message) const {
  loops.bucket |= message.message;
  for (size_t i = 0; i < message.tables.size(); ++i)
    loops.tables[i] += message.tables[i];
}

void EliminationTree::endLoops(NodeLoops &loops) const {
  loops.message = loops.bucket;
  forBits(loops.bucket, [&](size_t loop) {
    if (loops.tables[loop] == problem_->loopTables[loop])
      loops.message &= ~(uint64_t{1} << loop);
  });
}

double EliminationTree::runs(uint64_t loops) const {
  double runs = 1;
  forBits(loops, [&](size_t loop) { runs *= problem_->loopExtents[loop]; });
  return runs;
}

void EliminationTree::sumCosts() {
  cost_ = 0;
  for (const Vertex v : eliminated_)
    cost_ += nodes_[v].cost;
}

double EliminationTree::largestMessageElems() const {
  double largest = 1;
  for (const Vertex v : eliminated_)
    largest = std::max(largest, nodes_[v].messageElems);
  return largest;
}

void EliminationTree::startUnion() {
  ++unions_;
  united_.clear();
  unitedElems_ = 1;
}

void EliminationTree::unite(std::span<const Vertex> scope) {
  steps_ += scope.size();
  for (const Vertex v : scope) {
    if (seenAt_[v] == unions_)
      continue;
    seenAt_[v] = unions_;
    united_.push_back(v);
    unitedElems_ *= extents_[v];
  }
}

bool EliminationTree::contains(std::span<const Vertex> scope, Vertex v) {
  return std::find(scope.begin(), scope.end(), v) != scope.end();
}

/// Finds the scope of the new lower bucket of a rotation: all of the parent's tables but the
/// child's message, and those of the child's tables that hold the parent.
void EliminationTree::uniteLowerBucket(Vertex child) {
  const Vertex p = nodes_[child].parent;
  const Node &lower = nodes_[child], &upper = nodes_[p];
  startUnion();
  for (const uint32_t table : upper.tables)
    unite(problem_->cliques[table]);
  for (const Vertex other : upper.children)
    if (other != child)
      unite(nodes_[other].message);

  for (const uint32_t table : lower.tables)
    if (contains(problem_->cliques[table], p))
      unite(problem_->cliques[table]);
  for (const Vertex other : lower.children)
    if (contains(nodes_[other].message, p))
      unite(nodes_[other].message);
}

/// Adds the tables of the pair to the operands and loops of the two new buckets, all but the
/// message between these.
void EliminationTree::divideOperands(const Rotation &rotation, BucketOperands &below,
                                     BucketOperands &above) {
  const Vertex p = rotation.parent;
  const Node &lower = nodes_[rotation.child], &upper = nodes_[p];
  const auto addBelow = [&](const Node &node) {
    below.add(node.messageElems, rotation.parentElems);
    addMessage(lowerLoops_, node.loops);
  };
  const auto addTableBelow = [&](uint32_t table) {
    below.add(tableElems_[table], rotation.parentElems);
    addTable(lowerLoops_, table);
  };
  clear(lowerLoops_);
  clear(upperLoops_);
  for (const uint32_t table : upper.tables)
    addTableBelow(table);
  for (const Vertex other : upper.children)
    if (other != rotation.child)
      addBelow(nodes_[other]);
  for (const uint32_t table : lower.tables) {
    if (contains(problem_->cliques[table], p)) {
      addTableBelow(table);
    } else {
      above.add(tableElems_[table], rotation.childElems);
      addTable(upperLoops_, table);
    }
  }
  for (const Vertex other : lower.children) {
    const Node &node = nodes_[other];
    if (contains(node.message, p)) {
      addBelow(node);
    } else {
      above.add(node.messageElems, rotation.childElems);
      addMessage(upperLoops_, node.loops);
    }
  }
}

EliminationTree::Rotation EliminationTree::tryRotation(Vertex child) {
  Rotation rotation;
  rotation.child = child;
  rotation.parent = nodes_[child].parent;
  MPF_CHECK(rotation.parent != kNoVertex, "vertex {} is a root", child);
  const Node &lower = nodes_[child], &upper = nodes_[rotation.parent];
  uniteLowerBucket(child);
  rotation.parentElems = unitedElems_;
  rotation.childElems = upper.messageElems * extents_[child];
  const double passed = unitedElems_ / extents_[rotation.parent];

  BucketOperands below, above;
  divideOperands(rotation, below, above);
  endLoops(lowerLoops_);
  addMessage(upperLoops_, lowerLoops_);
  endLoops(upperLoops_);
  above.add(passed, rotation.childElems);
  rotation.parentCost = runs(lowerLoops_.bucket) *
                        bucketCost(rotation.parentElems, passed, below, problem_->maxMessageElems);
  rotation.childCost =
      runs(upperLoops_.bucket) *
      bucketCost(rotation.childElems, upper.messageElems, above, problem_->maxMessageElems);
  rotation.before = lower.cost + upper.cost;
  rotation.after = rotation.parentCost + rotation.childCost;
  steps_ += kStepsPerTry;
  return rotation;
}

void EliminationTree::rotate(const Rotation &rotation) {
  const Vertex c = rotation.child, p = rotation.parent;
  Node &lower = nodes_[c], &upper = nodes_[p];
  MPF_CHECK(lower.parent == p, "vertex {} is no longer the parent of {}", p, c);
  lower.message.swap(upper.message); // what leaves the pair is the same
  upper.message = united_;
  std::erase(upper.message, p);
  lower.messageElems = upper.messageElems;
  upper.messageElems = rotation.parentElems / extents_[p];

  std::erase(upper.children, c);
  std::erase_if(lower.children, [&](Vertex other) {
    if (!contains(nodes_[other].message, p))
      return false;
    nodes_[other].parent = p;
    upper.children.push_back(other);
    return true;
  });
  lower.children.push_back(p);
  std::erase_if(lower.tables, [&](uint32_t table) {
    if (!contains(problem_->cliques[table], p))
      return false;
    upper.tables.push_back(table);
    return true;
  });
  lower.parent = upper.parent;
  upper.parent = c;
  if (lower.parent != kNoVertex) {
    auto &siblings = nodes_[lower.parent].children;
    const auto place = std::find(siblings.begin(), siblings.end(), p);
    MPF_CHECK(place != siblings.end(), "vertex {} is no child of its parent {}", p, lower.parent);
    *place = c;
  }
  lower.cost = rotation.childCost;
  upper.cost = rotation.parentCost;
  lower.loops = upperLoops_;
  upper.loops = lowerLoops_; // the nodes have changed places
  cost_ += rotation.after - rotation.before;
  steps_ += kStepsPerTry;
}

std::vector<Vertex> EliminationTree::sequence() const {
  std::vector<Vertex> order, stack;
  order.reserve(eliminated_.size());
  for (const Vertex v : eliminated_)
    if (nodes_[v].parent == kNoVertex)
      stack.push_back(v);
  // Parents first, then reversed: no recursion, chains may be long.
  while (!stack.empty()) {
    const Vertex v = stack.back();
    stack.pop_back();
    order.push_back(v);
    stack.insert(stack.end(), nodes_[v].children.begin(), nodes_[v].children.end());
  }
  std::reverse(order.begin(), order.end());
  MPF_CHECK(order.size() == eliminated_.size(), "the elimination tree reaches {} of {} vertices",
            order.size(), eliminated_.size());
  return order;
}

} // namespace mpf
