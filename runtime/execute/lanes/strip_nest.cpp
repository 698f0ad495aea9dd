#include "runtime/execute/lanes/strip_nest.h"

#include "dsl/support/counts.h"
#include "dsl/support/merge_digits.h"
#include "runtime/execute/lanes/strip_tile.h"

#include <algorithm>
#include <array>
#include <span>

namespace mpf {

namespace {

/// The most entries of a merged row; addresses cost little compared with so many.
constexpr uint64_t kMostRow = 32;

/// A cache level: the bytes that the tables of one operation may take of it, and the price of a
/// byte that misses it. Prices are rough cycles per line, for a core with 32 KiB, 512 KiB and a
/// share of a last level.
struct CacheLevel {
  double bytes, price;
};
constexpr std::array kLevels = {CacheLevel{24.0 * 1024, 1}, CacheLevel{384.0 * 1024, 3},
                                CacheLevel{8.0 * 1024 * 1024, 8}};

/// The price of orders of the kept digits of one operation.
class NestPrice {
public:
  NestPrice(const LaneOperation &operation, std::span<const uint64_t> entryBytes)
      : operation_(operation), rowBytes_(entryBytes.begin(), entryBytes.end()) {
    for (size_t s = 0; s < rowBytes_.size(); ++s)
      for (size_t d = 0; d < operation.digits.size(); ++d)
        if (operation.digits[d].reduced)
          rowBytes_[s] *= extentIn(s, d);
  }

  /// Returns the bytes of all tables, each counted once.
  double bytes() const {
    double sum = 0;
    for (size_t s = 0; s < rowBytes_.size(); ++s) {
      double own = rowBytes_[s];
      for (size_t d = 0; d < operation_.digits.size(); ++d)
        own *= operation_.digits[d].reduced ? 1 : extentIn(s, d);
      sum += own;
    }
    return sum;
  }

  /// Returns the price of an order of the kept digits, the last one fastest.
  double of(const std::vector<size_t> &order) const {
    double price = 0;
    for (const CacheLevel &level : kLevels)
      price += level.price * movedInto(level, order);
    return price;
  }

  /// Returns the index of the first of the innermost loops of `order` whose tables fit a cache
  /// together.
  size_t heldFrom(const CacheLevel &level, const std::vector<size_t> &order) const {
    std::vector<double> held = rowBytes_;
    size_t first = order.size();
    for (; first > 0; --first) {
      double sum = 0;
      for (size_t s = 0; s < held.size(); ++s)
        sum += held[s] *= extentIn(s, order[first - 1]);
      if (sum > level.bytes)
        break;
    }
    return first;
  }

private:
  double extentIn(size_t slot, size_t digit) const {
    return operation_.slot(slot).stridesElems[digit] == 0
               ? 1.0
               : static_cast<double>(operation_.digits[digit].extent);
  }

  /// Returns the bytes that are moved into a cache level. The tables of the innermost loops that
  /// fit are read once for each iteration of the loops around them. A table that the next outer
  /// loops lack stays in the cache during these.
  double movedInto(const CacheLevel &level, const std::vector<size_t> &order) const {
    std::vector<double> held = rowBytes_, grown(held.size());
    size_t first = order.size();
    for (; first > 0; --first) {
      double sum = 0;
      for (size_t s = 0; s < held.size(); ++s)
        sum += grown[s] = held[s] * extentIn(s, order[first - 1]);
      if (sum > level.bytes)
        break;
      held = grown;
    }
    double moved = 0;
    for (size_t s = 0; s < held.size(); ++s) {
      double turns = 1;
      for (size_t at = first; at-- > 0;)
        if (turns > 1 || extentIn(s, order[at]) > 1)
          turns *= static_cast<double>(operation_.digits[order[at]].extent);
      moved += turns * held[s];
    }
    return moved;
  }

  const LaneOperation &operation_;
  std::vector<double> rowBytes_; ///< by slot: bytes of the terms of one entry
};

/// Moves one digit at a time while the price falls.
void improve(const NestPrice &price, std::vector<size_t> &order) {
  double best = price.of(order);
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t from = 0; from < order.size(); ++from)
      for (size_t to = 0; to < order.size(); ++to) {
        std::vector<size_t> other = order;
        other.erase(other.begin() + static_cast<ptrdiff_t>(from));
        other.insert(other.begin() + static_cast<ptrdiff_t>(to), order[from]);
        if (const double found = price.of(other); found < 0.99 * best) {
          best = found;
          order = std::move(other);
          moved = true;
        }
      }
  }
}

uint64_t addressesOf(const LaneOperation &operation, const std::vector<size_t> &digits) {
  uint64_t count = 1;
  for (const size_t d : digits)
    count = saturatingMul(count, operation.digits[d].extent);
  return count;
}

} // namespace

LaneOperation mergedForStrips(LaneOperation operation) {
  dropSingleDigits(operation);
  std::vector<StridedDigit> &digits = operation.digits;
  const auto slots = allSlots(operation);
  const auto continues = [&](size_t high, size_t low) {
    return digits[high].reduced == digits[low].reduced && continuesInAll(digits, slots, high, low);
  };
  for (size_t low = 1; low < digits.size();) {
    // Merging reduced digits that are not adjacent would change the order of terms.
    size_t high = low;
    const size_t first = digits[low].reduced ? low - 1 : 0;
    bool merges = false;
    while (!merges && high-- > first)
      merges = continues(high, low) &&
               (digits[low].reduced || digits[high].extent * digits[low].extent <= kMostRow);
    if (!merges) {
      ++low;
      continue;
    }
    fuseDigits(digits, slots, high, low, true);
    low = std::max<size_t>(high, 1);
  }
  return operation;
}

StripNest stripNest(const LaneOperation &operation, std::span<const uint64_t> entryBytes) {
  StripNest nest;
  std::vector<size_t> kept;
  for (size_t d = 0; d < operation.digits.size(); ++d)
    (operation.digits[d].reduced ? nest.reduced : kept).push_back(d);
  const NestPrice price(operation, entryBytes);
  if (price.bytes() > kLevels.front().bytes)
    improve(price, kept);
  if (!kept.empty()) {
    const size_t held = std::min(price.heldFrom(kLevels.front(), kept), kept.size() - 1);
    const StripTile tile = stripTile(operation, std::span(kept).subspan(held));
    nest.row = tile.row;
    nest.column = tile.column;
    std::erase(kept, tile.row);
    if (tile.column)
      std::erase(kept, *tile.column);
  }
  size_t split = kept.size();
  for (uint64_t count = 1; split > 0; --split) {
    count = saturatingMul(count, operation.digits[kept[split - 1]].extent);
    if (count > kMostInner)
      break;
  }
  const auto middle = kept.begin() + static_cast<ptrdiff_t>(split);
  nest.outer.assign(kept.begin(), middle);
  nest.inner.assign(middle, kept.end());
  return nest;
}

uint64_t stripNestAddresses(const LaneOperation &operation, const StripNest &nest) {
  const uint64_t each = saturatingAdd(
      saturatingAdd(addressesOf(operation, nest.outer), addressesOf(operation, nest.inner)),
      addressesOf(operation, nest.reduced));
  return saturatingMul(each, operation.slotCount());
}

} // namespace mpf
