#include "runtime/execute/lanes/strip_tile.h"

#include <algorithm>

namespace mpf {

namespace {

/// The entries of a row, and the columns, that are computed side by side.
constexpr double kTileRow = 4, kTileColumns = 2;
/// The cost of starting a row, in loads: for each slot, and for the row.
constexpr double kStartSlot = 3, kStartRow = 6;

class TilePrice {
public:
  explicit TilePrice(const LaneOperation &operation)
      : operation_(operation), terms_(static_cast<double>(operation.reducedAddresses())) {}

  /// Returns the loads per address.
  double of(size_t row, std::optional<size_t> column) const {
    const double length = extent(row), across = column ? extent(*column) : 1;
    const double n = std::min(length, kTileRow), c = column ? std::min(across, kTileColumns) : 1;
    double loads = 0;
    for (const LaneAccess &operand : operation_.operands) {
      const double along = operand.stridesElems[row] != 0 ? n : 1;
      // The 1 is the load of an address.
      loads += 1 + along * (column && operand.stridesElems[*column] != 0 ? c : 1);
    }
    const double start = kStartRow + kStartSlot * static_cast<double>(operation_.slotCount());
    return loads / (n * c) + start / (length * c * terms_);
  }

  /// True if the kernel for columns can take the two messages, in some order. The first must vary
  /// along the row and not across columns; the second must vary across columns.
  bool isColumn(size_t row, size_t column) const {
    const LaneAccess &a = operation_.operands[0], &b = operation_.operands[1];
    const auto takes = [&](const LaneAccess &first, const LaneAccess &second) {
      return first.stridesElems[column] == 0 && second.stridesElems[column] != 0 &&
             first.stridesElems[row] != 0;
    };
    return takes(a, b) || takes(b, a);
  }

private:
  double extent(size_t digit) const { return static_cast<double>(operation_.digits[digit].extent); }

  const LaneOperation &operation_;
  const double terms_;
};

} // namespace

StripTile stripTile(const LaneOperation &operation, std::span<const size_t> digits) {
  const TilePrice price(operation);
  StripTile best{digits.back(), std::nullopt};
  double least = price.of(best.row, best.column);
  const auto offer = [&](size_t row, std::optional<size_t> column) {
    if (const double found = price.of(row, column); found < 0.99 * least) {
      least = found;
      best = {row, column};
    }
  };
  const bool mayHaveColumns = operation.operands.size() == 2;
  for (size_t i = digits.size(); i-- > 0;) {
    offer(digits[i], std::nullopt);
    for (size_t k = digits.size(); mayHaveColumns && k-- > 0;)
      if (k != i && price.isColumn(digits[i], digits[k]))
        offer(digits[i], digits[k]);
  }
  return best;
}

} // namespace mpf
