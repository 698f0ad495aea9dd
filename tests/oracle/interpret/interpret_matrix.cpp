#include "tests/oracle/interpret/interpret_matrix.h"

#include "codegen/kernel/plan/matrix_shape.h"

#include <optional>

namespace mpf {

namespace {
class MatrixInterpreter {
public:
  MatrixInterpreter(const MatrixPlan &plan, const std::vector<std::vector<double>> &operands)
      : plan_(plan), counts_(matrixCounts(plan)), operands_(operands),
        result_(plan.form.result.sizeElems) {}

  Interpretation run() {
    for (batch_ = 0; batch_ < counts_.batches; ++batch_)
      for (rowBase_ = 0; rowBase_ < counts_.rows; rowBase_ += plan_.rows.tile)
        for (columnBase_ = 0; columnBase_ < counts_.columns; columnBase_ += plan_.columns.tile)
          runTile();
    return finished(result_, std::move(fault_));
  }

private:
  using Segment = std::vector<std::optional<double>>;

  void fault(std::string what) {
    if (fault_.empty())
      fault_ = std::move(what);
  }

  uint64_t offset(const DigitAccess &access, const std::vector<DigitId> &digits, uint64_t value) {
    return fusedOffset(fusedParts(plan_.form, digits, access), value);
  }

  double entryOf(const MatrixSide &side, uint64_t value, uint64_t term) {
    if (value >= fusedExtent(plan_.form, side.digits) || term >= counts_.terms)
      return 0;
    double product = 1;
    for (uint32_t operand : side.operands) {
      const DigitAccess &access = plan_.form.operands[operand];
      const uint64_t at = offset(access, plan_.batch, batch_) + offset(access, side.digits, value) +
                          offset(access, plan_.terms, term);
      if (at >= operands_[operand].size()) {
        fault(fmt::format("operand {} read at {} of {}", operand, at, operands_[operand].size()));
        return 0;
      }
      product *= operands_[operand][at];
    }
    return product;
  }

  Segment stage(const MatrixSide &side, uint64_t base, uint64_t page) {
    Segment segment(side.allocatedElems);
    const MatrixShare share = matrixShare(plan_, side, plan_.launch.blockThreads);
    for (uint64_t thread = 0; thread < share.busyThreads; ++thread)
      for (uint64_t j = 0; j < share.count; ++j)
        for (uint64_t lane = 0; lane < side.fetchVector; ++lane) {
          const MatrixPlace first = matrixPlace(side, share, thread);
          const uint64_t along = first.along + lane, across = first.across + j * share.step;
          const uint64_t value = side.alongTerms ? across : along;
          const uint64_t term = side.alongTerms ? along : across;
          auto &place = segment[segmentOffset(side, value, term)];
          if (place)
            fault("an entry of a segment is fetched twice");
          place = entryOf(side, base + value, page * plan_.chunk + term);
        }
    return segment;
  }

  double fragment(const MatrixSide &side, const Segment &segment, uint64_t value, uint64_t term) {
    const auto &entry = segment[segmentOffset(side, value, term)];
    if (!entry)
      fault("a fragment reads an entry that nobody fetched");
    return entry.value_or(0);
  }

  void runTile() {
    std::vector<double> sums(plan_.rows.tile * plan_.columns.tile, 0);
    for (uint64_t page = 0; page < counts_.pages; ++page) {
      const Segment rows = stage(plan_.rows, rowBase_, page);
      const Segment columns = stage(plan_.columns, columnBase_, page);
      for (uint64_t r = 0; r < plan_.rows.tile; ++r)
        for (uint64_t c = 0; c < plan_.columns.tile; ++c)
          for (uint64_t term = 0; term < plan_.chunk; ++term)
            sums[r * plan_.columns.tile + c] +=
                fragment(plan_.rows, rows, r, term) * fragment(plan_.columns, columns, c, term);
    }
    store(sums);
  }

  /// Stores a tile: every place of it belongs to one lane's accumulator.
  void store(const std::vector<double> &sums) {
    const DigitAccess &access = plan_.form.result;
    for (uint64_t unitRow = 0; unitRow < plan_.rows.tile; unitRow += 16)
      for (uint64_t unitColumn = 0; unitColumn < plan_.columns.tile; unitColumn += 16)
        for (uint64_t place = 0; place < 256; ++place) {
          const uint64_t r = unitRow + unitPlace(plan_.rows, place / 32, place / 16 % 2);
          const uint64_t c = unitColumn + unitPlace(plan_.columns, place / 2 % 8, place % 2);
          if (rowBase_ + r >= counts_.rows || columnBase_ + c >= counts_.columns)
            continue;
          const uint64_t at = offset(access, plan_.batch, batch_) +
                              offset(access, plan_.rows.digits, rowBase_ + r) +
                              offset(access, plan_.columns.digits, columnBase_ + c);
          if (at >= result_.size() || result_[at])
            return fault(fmt::format("entry {} of the result is written twice or outside", at));
          result_[at] = sums[r * plan_.columns.tile + c];
        }
  }

  const MatrixPlan &plan_;
  MatrixCounts counts_;
  const std::vector<std::vector<double>> &operands_;
  std::vector<std::optional<double>> result_;
  uint64_t batch_ = 0, rowBase_ = 0, columnBase_ = 0;
  std::string fault_;
};
} // namespace

Interpretation interpretMatrix(const MatrixPlan &plan,
                               const std::vector<std::vector<double>> &operands) {
  return MatrixInterpreter(plan, operands).run();
}

} // namespace mpf
