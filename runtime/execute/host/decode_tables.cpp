#include "runtime/execute/host/decode_tables.h"

#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"

#include <cmath>
#include <optional>

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

  bool plain, whole, minimises;
};

/// The first of the best values.
std::optional<uint32_t> pickBest(const std::vector<RowValue> &row, const RowAlgebra &algebra) {
  uint32_t best = 0;
  for (uint32_t state = 1; state < row.size(); ++state)
    if (algebra.minimises ? row[best].above(row[state]) : row[state].above(row[best]))
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
        decoding_(traitsOf(bundle.kind).decoding.value()),
        states_(request.given.begin(), request.given.end()) {}

  std::optional<std::vector<uint32_t>> run() {
    for (const BundleTraceback &step : bundle_.traceback) {
      fillRow(step);
      const std::optional<uint32_t> state = pick(decoding_, row_, algebra_);
      if (!state)
        return std::nullopt;
      states_[step.variable.index()] = *state;
    }
    return std::move(states_);
  }

private:
  void fillRow(const BundleTraceback &step) {
    row_.resize(bundle_.variables[step.variable.index()].extent);
    for (uint32_t state = 0; state < row_.size(); ++state) {
      states_[step.variable.index()] = state;
      row_[state] = valueOf(step);
    }
  }

  RowValue valueOf(const BundleTraceback &step) const {
    const bool plain = algebra_.plain, whole = algebra_.whole;
    RowValue product;
    product.whole = whole && !plain ? 1 : 0;
    for (const BundleTraceback::Table &part : step.tables) {
      uint64_t offset = 0;
      for (const VarId id : part.layout)
        offset = offset * bundle_.variables[id.index()].extent + states_[id.index()];
      const TableView table = executor_.table(part.buffer);
      if (!whole)
        product.value += plain ? table.entry(offset) : table.log2Entry(offset);
      else
        product.whole =
            plain ? product.whole + table.whole(offset) : product.whole * table.whole(offset);
    }
    return product;
  }

  const Bundle &bundle_;
  const Executor &executor_;
  const RowAlgebra algebra_;
  const Decoding decoding_;
  std::vector<uint32_t> states_;
  std::vector<RowValue> row_; ///< of the step at hand
};

} // namespace

std::vector<std::vector<uint32_t>> decodeTables(const Bundle &bundle, const Executor &executor,
                                                const DecodeRequest &request) {
  std::optional<std::vector<uint32_t>> found = Traceback(bundle, executor, request).run();
  if (!found)
    return {};
  return {std::move(*found)};
}

} // namespace mpf
