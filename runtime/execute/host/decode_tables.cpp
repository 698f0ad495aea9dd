#include "runtime/execute/host/decode_tables.h"

#include "codegen/bundle/open_variables.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace mpf {

namespace {

/// A product (sum) of table entries: log2 or plain, and exact where the tables hold whole numbers.
/// Those of a message that did not overflow do not either.
struct RowValue {
  double value = 0;
  Uint128 whole = 0;

  bool above(const RowValue &other) const {
    return whole != other.whole ? whole > other.whole : value > other.value;
  }
};

/// What values mean in this bundle.
struct RowAlgebra {
  explicit RowAlgebra(const Bundle &bundle)
      : plain(hasPlainTables(bundle)), whole(isIntegerType(bundle.type)),
        minimises(mpf::minimises(bundle)) {}

  bool isZero(const RowValue &value) const {
    return !plain && (whole ? value.whole == 0 : std::isinf(value.value));
  }

  bool isBetter(const RowValue &a, const RowValue &b) const {
    return minimises ? b.above(a) : a.above(b);
  }

  bool plain, whole, minimises;
};

/// The first of the best values.
std::optional<uint32_t> pickBest(const std::vector<RowValue> &row, const RowAlgebra &algebra) {
  uint32_t best = 0;
  for (uint32_t state = 1; state < row.size(); ++state)
    if (algebra.isBetter(row[state], row[best]))
      best = state;
  return algebra.isZero(row[best]) ? std::nullopt : std::optional(best);
}

/// The state that `decoding` takes from a row; none: all of its values are zero.
std::optional<uint32_t> pick(Decoding decoding, const std::vector<RowValue> &row,
                             const RowAlgebra &algebra) {
  switch (decoding) {
  case Decoding::Argmax:
    return pickBest(row, algebra);
  }
  MPF_UNREACHABLE("decoding {}", static_cast<int>(decoding));
}

class Traceback {
public:
  Traceback(const Bundle &bundle, const Executor &executor, const DecodeRequest &request)
      : bundle_(bundle), executor_(executor), algebra_(bundle),
        steps_(stepsToTake(bundle, request)), open_(openVariables(bundle)), decoding_(traitsOf(bundle.kind).decoding.value()) {
    const size_t width = bundle.variables.size();
    if (width == 0) // one start, which has nothing to say
      assignments_.emplace_back();
    MPF_CHECK(width == 0 ? request.given.empty() : request.given.size() % width == 0,
              "{} states of {} variables", request.given.size(), width);
    for (std::span<const uint32_t> rest = request.given; !rest.empty(); rest = rest.subspan(width))
      assignments_.emplace_back(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(width));
  }

  /// Step by step for all starts: what a step reads is looked up once.
  std::vector<std::vector<uint32_t>> run() {
    for (const uint32_t number : steps_) {
      const BundleTraceback &step = bundle_.traceback[number];
      enter(step, open_[number]);
      for (std::vector<uint32_t> &states : assignments_) {
        if (states.empty())
          continue;
        fillRow(states);
        const std::optional<uint32_t> state = pick(decoding_, row_, algebra_);
        if (state)
          states[step.variable.index()] = *state;
        else
          states.clear();
      }
    }
    return std::move(assignments_);
  }

private:
  /// A table of the step at hand.
  struct Part {
    TableView table;
    uint64_t ownStrideElems = 0;                     ///< of the step's variable
    std::vector<std::pair<size_t, uint64_t>> others; ///< number of a variable, its stride
    std::vector<uint64_t> openElems; ///< by joint state of the open variables: how far it is
  };

  void enter(const BundleTraceback &step, const std::vector<VarId> &open) {
    row_.resize(bundle_.variables[step.variable.index()].extent);
    parts_.clear();
    const uint64_t joint = jointStates(bundle_, open);
    for (const BundleTraceback::Table &from : step.tables) {
      Part &part = parts_.emplace_back();
      part.table = executor_.table(from.buffer);
      part.openElems.assign(joint, 0);
      uint64_t stride = 1;
      for (size_t i = from.layout.size(); i-- > 0;) {
        const VarId id = from.layout[i];
        if (id == step.variable)
          part.ownStrideElems = stride;
        else if (std::ranges::binary_search(open, id))
          addOpen(part, open, id, stride);
        else
          part.others.emplace_back(id.index(), stride);
        stride *= bundle_.variables[id.index()].extent;
      }
    }
  }

  /// The last open variable is the fastest.
  void addOpen(Part &part, const std::vector<VarId> &open, VarId id, uint64_t strideElems) const {
    uint64_t faster = 1;
    for (size_t i = open.size(); open[--i] != id;)
      faster *= bundle_.variables[open[i].index()].extent;
    const uint64_t extent = bundle_.variables[id.index()].extent;
    for (size_t joint = 0; joint < part.openElems.size(); ++joint)
      part.openElems[joint] += joint / faster % extent * strideElems;
  }

  /// At the best joint state of the open variables, for each state of the step's own.
  void fillRow(const std::vector<uint32_t> &states) {
    fillRow(states, 0);
    const size_t joint = parts_.empty() ? 1 : parts_.front().openElems.size();
    if (joint == 1)
      return;
    std::vector<RowValue> best = row_;
    for (size_t open = 1; open < joint; ++open) {
      fillRow(states, open);
      for (size_t state = 0; state < row_.size(); ++state)
        if (algebra_.isBetter(row_[state], best[state]))
          best[state] = row_[state];
    }
    row_ = std::move(best);
  }

  void fillRow(const std::vector<uint32_t> &states, size_t open) {
    const bool plain = algebra_.plain, whole = algebra_.whole;
    row_.assign(row_.size(), {0, whole && !plain ? Uint128{1} : Uint128{0}});
    for (const Part &part : parts_) {
      uint64_t offset = part.openElems[open];
      for (const auto &[variable, stride] : part.others)
        offset += states[variable] * stride;
      for (RowValue &product : row_) {
        if (!whole)
          product.value += plain ? part.table.entry(offset) : part.table.log2Entry(offset);
        else
          product.whole = plain ? product.whole + part.table.whole(offset)
                                : product.whole * part.table.whole(offset);
        offset += part.ownStrideElems;
      }
    }
  }

  const Bundle &bundle_;
  const Executor &executor_;
  const RowAlgebra algebra_;
  const std::vector<uint32_t> steps_;
  const std::vector<std::vector<VarId>> open_; ///< by step of the bundle
  const Decoding decoding_;
  std::vector<std::vector<uint32_t>> assignments_; ///< by start; without states: it has none
  // Of the step at hand:
  std::vector<Part> parts_;
  std::vector<RowValue> row_;
};

} // namespace

std::vector<uint32_t> stepsToTake(const Bundle &bundle, const DecodeRequest &request) {
  if (!request.steps.empty())
    return {request.steps.begin(), request.steps.end()};
  std::vector<uint32_t> all(bundle.traceback.size());
  std::iota(all.begin(), all.end(), uint32_t{0});
  return all;
}

std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request) {
  return Traceback(bundle, executor, request).run();
}

} // namespace mpf
