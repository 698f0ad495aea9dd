#include "codegen/simplify/state/table_arithmetic.h"

#include "codegen/simplify/state/entry_value.h"
#include "dsl/support/integer_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace mpf {

namespace {

using Values = std::vector<double>;
using Limits = std::numeric_limits<double>;

/// The exponents of normal doubles.
constexpr int kLeastExponent = Limits::min_exponent - 1;
constexpr int kGreatestExponent = Limits::max_exponent - 1;

EntryTable tableOf(Values &&values) {
  return EntryTable(std::make_shared<const Values>(std::move(values)));
}

/// floor(log2 |value|) of a value that is not 0.
int exponentOf(double value) {
  const auto biased = static_cast<int>(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff);
  return biased != 0 ? biased - kGreatestExponent : std::ilogb(value);
}

/// The least and greatest floor(log2 |value|) over the entries that are not 0.
struct Range {
  int least = std::numeric_limits<int>::max();
  int greatest = std::numeric_limits<int>::min();

  void take(int exponent) {
    least = std::min(least, exponent);
    greatest = std::max(greatest, exponent);
  }
  bool empty() const { return least > greatest; }
};

Range rangeOf(const Values &values) {
  Range range;
  for (const double value : values)
    if (value != 0)
      range.take(exponentOf(value));
  return range;
}

/// Visits the pairs of entries that a product multiplies: f(entry of the big table, of the small).
class Pairs {
public:
  Pairs(const Values &big, const Extents &extents, const Values &small,
        const std::vector<size_t> &axisOf)
      : big_(big), extents_(extents), small_(small), axisOf_(axisOf) {}

  template <class F> void forEach(const F &f) const {
    std::vector<uint64_t> strides(extents_.size(), 0);
    uint64_t stride = 1;
    for (size_t i = axisOf_.size(); i-- > 0; stride *= extents_[axisOf_[i]])
      strides[axisOf_[i]] = stride;
    Odometer at(extents_, std::move(strides));
    for (size_t i = 0; i < big_.size(); ++i, at.next())
      f(big_[i], small_[at.offset()]);
  }

  /// Returns one entry of the result for each pair.
  template <class F> Values map(const F &f) const {
    Values out;
    out.reserve(big_.size());
    forEach([&](double a, double b) { out.push_back(f(a, b)); });
    return out;
  }

private:
  const Values &big_;
  const Extents &extents_;
  const Values &small_;
  const std::vector<size_t> &axisOf_;
};

/// A product as |significand| in [1/4, 1), or 0, and an exponent.
struct SplitProduct {
  double significand = 0;
  int exponent = 0;

  SplitProduct(double a, double b) {
    int ofA = 0, ofB = 0;
    significand = std::frexp(a, &ofA) * std::frexp(b, &ofB);
    exponent = ofA + ofB;
  }
};

/// Moves a power of two into the exponent before products come near the ends of the range:
/// thousands of factors may be merged into one.
void keepNearOne(Values &values, int64_t &exponent) {
  constexpr int kFar = 256;
  const Range range = rangeOf(values);
  if (range.empty() || std::abs(range.greatest) < kFar ||
      range.least - range.greatest < kLeastExponent)
    return;
  for (double &value : values)
    value = std::ldexp(value, -range.greatest);
  exponent += range.greatest;
}

/// Forms products that may leave the normal range. The exponent keeps all of them in it, and the
/// greatest as near 1 as that allows.
std::optional<ScaledTable> wideProduct(const Pairs &pairs) {
  Range range;
  pairs.forEach([&range](double a, double b) {
    if (const SplitProduct product(a, b); product.significand != 0)
      range.take(exponentOf(product.significand) + product.exponent);
  });
  if (range.empty())
    return ScaledTable{tableOf(pairs.map([](double, double) { return 0.0; })), 0};
  const int lowest = range.greatest - kGreatestExponent, highest = range.least - kLeastExponent;
  if (lowest > highest)
    return std::nullopt;
  const int exponent = std::clamp(range.greatest, lowest, highest);
  return ScaledTable{tableOf(pairs.map([exponent](double a, double b) {
                       const SplitProduct product(a, b);
                       return std::ldexp(product.significand, product.exponent - exponent);
                     })),
                     exponent};
}

std::optional<ScaledTable> product(const Pairs &pairs, const Range &a, const Range &b) {
  const bool normal =
      a.empty() || b.empty() ||
      (a.least + b.least >= kLeastExponent && a.greatest + b.greatest + 1 <= kGreatestExponent);
  if (!normal)
    return wideProduct(pairs);
  int64_t exponent = 0;
  Values values = pairs.map([](double x, double y) { return x * y; });
  keepNearOne(values, exponent);
  return ScaledTable{tableOf(std::move(values)), exponent};
}

/// Whether all results are exact: a whole number of 2^53 or more is not below 2^53 after rounding.
bool allExactInText(const Values &values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return value < kExactTextLimit; });
}

std::optional<ScaledTable> integerCombination(const Pairs &pairs, Combine combine) {
  Values values = combine == Combine::Times ? pairs.map([](double a, double b) { return a * b; })
                                            : pairs.map([](double a, double b) { return a + b; });
  if (!allExactInText(values))
    return std::nullopt;
  return ScaledTable{tableOf(std::move(values)), 0};
}

/// Adds costs or logs. The value -infinity is the zero of some, and stays as it is.
std::optional<ScaledTable> sum(const Pairs &pairs) {
  bool fits = true;
  Values values = pairs.map([&fits](double a, double b) {
    const double value = a + b;
    fits &= std::isfinite(value) || a == -kInfinity || b == -kInfinity;
    return value;
  });
  if (!fits)
    return std::nullopt;
  return ScaledTable{tableOf(std::move(values)), 0};
}

double logSum(double a, double b) {
  const double greatest = std::max(a, b);
  if (greatest == -kInfinity)
    return greatest;
  return greatest + std::log1p(std::exp(std::min(a, b) - greatest));
}

/// Reduces `entries` entries into those of `to`, one by one.
void reduceInto(double *to, const double *from, uint64_t entries, Reduce reduce) {
  const auto each = [&](auto reduced) { std::transform(to, to + entries, from, to, reduced); };
  switch (reduce) {
  case Reduce::Sum:
    return each([](double a, double b) { return a + b; });
  case Reduce::Max:
    return each([](double a, double b) { return std::max(a, b); });
  case Reduce::Min:
    return each([](double a, double b) { return std::min(a, b); });
  case Reduce::LogSum:
    return each(logSum);
  }
}

/// Whether a result may be kept. Sums of doubles that stay finite are rounded as in the run; below
/// the normal range they are exact.
bool mayStand(double result, const Algebra &algebra) {
  if (algebra.isInteger())
    return result < kExactTextLimit;
  return std::isfinite(result) ||
         (algebra.semiring().combine == Combine::Plus && result == -kInfinity);
}

} // namespace

std::optional<ScaledTable> combineTables(const EntryTable &big, const Extents &extents,
                                         const EntryTable &small, const std::vector<size_t> &axisOf,
                                         const Algebra &algebra) {
  const Pairs pairs(*big.values(), extents, *small.values(), axisOf);
  if (algebra.isInteger())
    return integerCombination(pairs, algebra.semiring().combine);
  if (algebra.semiring().combine == Combine::Plus)
    return sum(pairs);
  return product(pairs, rangeOf(*big.values()), rangeOf(*small.values()));
}

std::optional<EntryTable> reduceGroups(const EntryTable &table, const Extents &extents, size_t axis,
                                       const std::vector<uint32_t> &groupOf, uint32_t groups,
                                       const Algebra &algebra) {
  const Values &values = *table.values();
  const Reduce reduce = algebra.semiring().reduce;
  uint64_t inner = 1;
  for (size_t a = axis + 1; a < extents.size(); ++a)
    inner *= extents[a];
  const uint64_t block = inner * extents[axis];
  const uint64_t outer = values.size() / block;
  Values out(outer * groups * inner);
  std::vector<char> started(groups);
  for (uint64_t o = 0; o < outer; ++o) {
    std::fill(started.begin(), started.end(), 0);
    for (uint32_t s = 0; s < extents[axis]; ++s) {
      const double *from = values.data() + o * block + s * inner;
      double *to = out.data() + (o * groups + groupOf[s]) * inner;
      if (std::exchange(started[groupOf[s]], 1) == 0)
        std::copy_n(from, inner, to);
      else
        reduceInto(to, from, inner, reduce);
    }
  }
  for (const double value : out)
    if (!mayStand(value, algebra))
      return std::nullopt;
  return tableOf(std::move(out));
}

std::optional<Entry> commonEntry(const EntryTable &table, uint32_t terms, const Algebra &algebra) {
  const bool rounds =
      algebra.semiring() == Semiring{Reduce::Sum, Combine::Times} && !algebra.isInteger();
  const double slack = rounds ? 2 * Limits::epsilon() * static_cast<double>(terms) : 0;
  const double front = EntryValue::of(table.front());
  const double one = std::abs(front - 1) <= slack ? 1 : front;
  const double allowed = slack * std::abs(one);
  for (const Entry entry : table)
    if (const double value = EntryValue::of(entry);
        value != one && !(std::abs(value - one) <= allowed)) // infinite ones are not close
      return std::nullopt;
  return Entry(one);
}

std::optional<std::vector<double>>
sharesOfGroups(const EntryTable &table, const std::vector<uint32_t> &groupOf, uint32_t groups) {
  Values shares = *table.values();
  std::vector<int> greatest(groups, std::numeric_limits<int>::min());
  for (size_t s = 0; s < shares.size(); ++s) {
    if (!(shares[s] > 0))
      return std::nullopt;
    greatest[groupOf[s]] = std::max(greatest[groupOf[s]], exponentOf(shares[s]));
  }
  std::vector<double> total(groups, 0);
  for (size_t s = 0; s < shares.size(); ++s)
    total[groupOf[s]] += shares[s] = std::ldexp(shares[s], -greatest[groupOf[s]]);
  for (size_t s = 0; s < shares.size(); ++s) {
    shares[s] /= total[groupOf[s]];
    if (!std::isnormal(shares[s])) // it has lost digits, or is 0
      return std::nullopt;
  }
  return shares;
}

} // namespace mpf
