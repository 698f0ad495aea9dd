#include "runtime/execute/host/decode_tables.h"

#include "codegen/bundle/open_variables.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/pick_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace mpf {

namespace {

/// A product (sum) of table entries: log2 or plain, and exact if the tables hold whole numbers. It
/// does not overflow, because the message of these tables did not.
struct RowValue {
  double value = 0;
  Uint128 whole = 0;

  bool above(const RowValue &other) const {
    return whole != other.whole ? whole > other.whole : value > other.value;
  }
};

/// The meaning of values in this bundle, and their order.
struct RowAlgebra {
  explicit RowAlgebra(const Bundle &bundle)
      : plain(hasPlainTables(bundle)), whole(isIntegerType(bundle.type)),
        minimises(mpf::minimises(bundle)) {}

  /// True for the zero of products that are maximised: such an assignment counts as none. The least
  /// product may be 0.
  bool isZero(const RowValue &value) const {
    return !plain && !minimises && (whole ? value.whole == 0 : std::isinf(value.value));
  }

  bool isBetter(const RowValue &a, const RowValue &b) const {
    return minimises ? b.above(a) : a.above(b);
  }

  bool plain, whole, minimises;
};

class Traceback {
public:
  Traceback(const Bundle &bundle, const Executor &executor, const DecodeRequest &request)
      : bundle_(bundle), executor_(executor), algebra_(bundle),
        steps_(stepsToTake(bundle, request)), open_(openVariables(bundle)),
        decoding_(traitsOf(bundle.kind).decoding.value()) {
    const size_t width = bundle.variables.size();
    if (width == 0) // one start without states
      assignments_.emplace_back();
    MPF_CHECK(width == 0 ? request.given.empty() : request.given.size() % width == 0,
              "{} states of {} variables", request.given.size(), width);
    for (std::span<const uint32_t> rest = request.given; !rest.empty(); rest = rest.subspan(width))
      assignments_.emplace_back(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(width));
  }

  /// Takes each step for all starts, so that the layout of its tables is prepared once.
  std::vector<std::vector<uint32_t>> run() {
    for (const uint32_t number : steps_) {
      const BundleTraceback &step = bundle_.traceback[number];
      enter(step, open_[number]);
      for (std::vector<uint32_t> &states : assignments_) {
        if (states.empty())
          continue;
        fillRow(states);
        const std::optional<uint32_t> state = pickState(
            decoding_, static_cast<uint32_t>(row_.size()), [this](uint32_t at) { return row_[at]; },
            algebra_);
        if (state)
          states[step.variable.index()] = *state;
        else
          states.clear();
      }
    }
    return std::move(assignments_);
  }

private:
  /// A table of the current step.
  struct Part {
    TableView table;
    uint64_t ownStrideElems = 0;                     ///< stride of the step's variable
    std::vector<std::pair<size_t, uint64_t>> others; ///< number of a variable, its stride
    /// The different offsets of the table's open variables, and for each joint state of all open
    /// variables the index of its offset.
    std::vector<uint64_t> openElems;
    std::vector<uint32_t> openPlaces;
    /// The entries for the current start, by offset and state of the step's variable. Each is read
    /// once, however many joint states have it.
    std::vector<RowValue> rows;
  };

  void enter(const BundleTraceback &step, const std::vector<VarId> &open) {
    row_.resize(bundle_.variables[step.variable.index()].extent);
    parts_.clear();
    jointStates_ = jointStates(bundle_, open);
    for (const BundleTraceback::Table &from : step.tables) {
      Part &part = parts_.emplace_back();
      part.table = executor_.table(from.buffer);
      std::vector<uint64_t> openElems(jointStates_, 0);
      uint64_t stride = 1;
      for (size_t i = from.layout.size(); i-- > 0;) {
        const VarId id = from.layout[i];
        if (id == step.variable)
          part.ownStrideElems = stride;
        else if (std::ranges::binary_search(open, id))
          addOpen(openElems, open, id, stride);
        else
          part.others.emplace_back(id.index(), stride);
        stride *= bundle_.variables[id.index()].extent;
      }
      setPlaces(part, openElems);
    }
  }

  void addOpen(std::vector<uint64_t> &openElems, const std::vector<VarId> &open, VarId id,
               uint64_t strideElems) const {
    const uint64_t stride = openStride(bundle_, open, id);
    const uint64_t extent = bundle_.variables[id.index()].extent;
    for (size_t joint = 0; joint < openElems.size(); ++joint)
      openElems[joint] += joint / stride % extent * strideElems;
  }

  static void setPlaces(Part &part, const std::vector<uint64_t> &openElems) {
    part.openElems = openElems;
    std::ranges::sort(part.openElems);
    const auto repeated = std::ranges::unique(part.openElems);
    part.openElems.erase(repeated.begin(), repeated.end());
    for (const uint64_t elems : openElems)
      part.openPlaces.push_back(static_cast<uint32_t>(
          std::ranges::lower_bound(part.openElems, elems) - part.openElems.begin()));
  }

  /// Computes the value of each state of the step's variable at the best joint state of the open
  /// variables.
  void fillRow(const std::vector<uint32_t> &states) {
    for (Part &part : parts_)
      lookUp(part, states);
    multiplyRows(0, row_);
    for (size_t joint = 1; joint < jointStates_; ++joint) {
      multiplyRows(joint, other_);
      for (size_t state = 0; state < row_.size(); ++state)
        if (algebra_.isBetter(other_[state], row_[state]))
          row_[state] = other_[state];
    }
  }

  void lookUp(Part &part, const std::vector<uint32_t> &states) const {
    const bool plain = algebra_.plain, whole = algebra_.whole;
    uint64_t base = 0;
    for (const auto &[variable, stride] : part.others)
      base += states[variable] * stride;
    part.rows.clear();
    for (const uint64_t elems : part.openElems)
      for (size_t state = 0; state < row_.size(); ++state) {
        const uint64_t at = base + elems + state * part.ownStrideElems;
        RowValue &entry = part.rows.emplace_back();
        if (whole)
          entry.whole = part.table.whole(at);
        else
          entry.value = plain ? part.table.entry(at) : part.table.log2Entry(at);
      }
  }

  void multiplyRows(size_t joint, std::vector<RowValue> &row) const {
    const bool plain = algebra_.plain, whole = algebra_.whole;
    row.assign(row_.size(), {0, whole && !plain ? Uint128{1} : Uint128{0}});
    for (const Part &part : parts_) {
      const RowValue *const entries = &part.rows[part.openPlaces[joint] * row.size()];
      for (size_t state = 0; state < row.size(); ++state)
        if (!whole)
          row[state].value += entries[state].value;
        else
          row[state].whole = plain ? row[state].whole + entries[state].whole
                                   : row[state].whole * entries[state].whole;
    }
  }

  const Bundle &bundle_;
  const Executor &executor_;
  const RowAlgebra algebra_;
  const std::vector<uint32_t> steps_;
  const std::vector<std::vector<VarId>> open_; ///< by step of the bundle
  const Decoding decoding_;
  std::vector<std::vector<uint32_t>> assignments_; ///< by start; empty: no assignment
  // The current step:
  std::vector<Part> parts_;
  uint64_t jointStates_ = 1; ///< number of joint states of the open variables
  std::vector<RowValue> row_, other_;
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
