#include "runtime/execute/host/accumulate_slice.h"

#include "dsl/support/check.h"
#include "runtime/execute/host/exponent_bits.h"
#include "runtime/execute/host/integer_tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace mpf {

namespace {

int64_t topOf(const TableState &state) { return int64_t{state.scale} + state.maxExponent + 1; }
int64_t lowOf(const TableState &state) { return int64_t{state.scale} + state.minExponent; }

int32_t checkedScale(int64_t scale) {
  if (scale != static_cast<int32_t>(scale))
    failBeyondScale(scale);
  return static_cast<int32_t>(scale);
}

template <class T> class Accumulation {
public:
  Accumulation(const SliceSum &how, const TableView &slice, const MutableTable &sum)
      : how_(how), slice_(slice), sum_(sum), from_(reinterpret_cast<const T *>(slice.entries)),
        into_(reinterpret_cast<T *>(sum.entries)), state_(*sum.state) {}

  bool run() {
    if (how_.first)
      return copy();
    if (how_.plain)
      return plain();
    const bool min = how_.reduce == Reduce::Min;
    if (slice_.state.allZero())
      return min ? clear() : false;
    if (state_.allZero())
      return min ? false : copy();
    const int64_t top = std::max(topOf(state_), topOf(slice_.state));
    const int64_t low = std::min(lowOf(state_), lowOf(slice_.state));
    const bool linear = !how_.forcedLog && !slice_.isLog() && state_.form == 0 &&
                        top - low <= linearSpread(slice_.type);
    return linear ? linearSum(top) : logSum(top);
  }

private:
  bool copy() {
    std::memcpy(sum_.entries, slice_.entries, slice_.sizeElems * sizeof(T));
    if (sum_.signs != nullptr && slice_.signs != nullptr)
      std::memcpy(sum_.signs, slice_.signs, slice_.sizeElems);
    state_ = slice_.state;
    return true;
  }

  bool clear() {
    const bool better = !state_.allZero();
    std::fill_n(into_, sum_.sizeElems, T{0});
    state_ = {};
    return better;
  }

  template <class N> N reduced(N a, N b) const {
    switch (how_.reduce) {
    case Reduce::Max:
      return b > a ? b : a;
    case Reduce::Min:
      return b < a ? b : a;
    case Reduce::Sum:
    case Reduce::LogSum:
      break;
    }
    return a + b;
  }
  template <class N> bool isBetter(N before, N after) const {
    return (how_.reduce == Reduce::Max || how_.reduce == Reduce::Min) && before != after;
  }

  bool plain() {
    const T before = into_[0];
    for (uint64_t i = 0; i < sum_.sizeElems; ++i)
      into_[i] = reduced(into_[i], from_[i]);
    return isBetter(before, into_[0]);
  }

  /// Adds both tables at the scale 2^top, so that the greatest entry is below 1 before the
  /// addition.
  bool linearSum(int64_t top) {
    const ScaledBy<T> own(state_.scale - top), other(slice_.state.scale - top);
    T least = std::numeric_limits<T>::infinity(), greatest = 0;
    bool better = false;
    for (uint64_t i = 0; i < sum_.sizeElems; ++i) {
      const T before = own(into_[i]);
      into_[i] = reduced(before, other(from_[i]));
      if (i == 0)
        better = isBetter(before, into_[0]);
      const T magnitude = std::abs(into_[i]);
      if (magnitude != 0)
        least = std::min(least, magnitude);
      greatest = std::max(greatest, magnitude);
    }
    if (greatest == 0)
      state_ = {};
    else
      state_ = {checkedScale(top), std::ilogb(least), std::ilogb(greatest), 0};
    return better;
  }

  struct Signed {
    double log2 = 0;
    int sign = 1;
  };

  Signed reducedLog(Signed a, Signed b) const {
    if (how_.reduce == Reduce::Max || how_.reduce == Reduce::Min) // never signed
      return {reduced(a.log2, b.log2), 1};
    const Signed high = a.log2 >= b.log2 ? a : b, low = a.log2 >= b.log2 ? b : a;
    if (std::isinf(low.log2))
      return high;
    const double ratio = std::exp2(low.log2 - high.log2);
    if (high.sign == low.sign)
      return {high.log2 + std::log1p(ratio) * std::numbers::log2e, high.sign};
    if (ratio == 1)
      return {-std::numeric_limits<double>::infinity(), 1};
    return {high.log2 + std::log1p(-ratio) * std::numbers::log2e, high.sign};
  }

  bool logSum(int64_t top) {
    const TableView own{slice_.type, state_, sum_.sizeElems, sum_.entries,
                        state_.form != 0 ? sum_.signs : nullptr};
    TableState after{checkedScale(top), std::numeric_limits<int32_t>::max(),
                     std::numeric_limits<int32_t>::min(), 1};
    bool better = false;
    for (uint64_t i = 0; i < sum_.sizeElems; ++i) {
      const Signed before{own.log2Entry(i) + static_cast<double>(state_.scale - top), own.sign(i)};
      const Signed value =
          reducedLog(before, {slice_.log2Entry(i) + static_cast<double>(slice_.state.scale - top),
                              slice_.sign(i)});
      into_[i] = static_cast<T>(value.log2);
      if (sum_.signs != nullptr)
        sum_.signs[i] = static_cast<int8_t>(value.sign);
      if (i == 0)
        better = isBetter(before.log2, value.log2);
      if (!std::isinf(value.log2)) {
        const auto exponent = static_cast<int32_t>(std::floor(value.log2));
        after.minExponent = std::min(after.minExponent, exponent);
        after.maxExponent = std::max(after.maxExponent, exponent);
      }
    }
    if (after.allZero())
      return clear(), better;
    state_ = after;
    return better;
  }

  const SliceSum &how_;
  const TableView &slice_;
  const MutableTable &sum_;
  const T *from_;
  T *into_;
  TableState &state_;
};

} // namespace

void failBeyondScale(int64_t scale) {
  fail(ErrorKind::Unsupported, "slices with values near 2^{} are beyond any scale", scale);
}

bool accumulateSlice(const SliceSum &how, const TableView &slice, const MutableTable &sum) {
  if (isIntegerType(slice.type))
    return accumulateIntegers(how, slice, sum);
  if (slice.type == ElementType::F32)
    return Accumulation<float>(how, slice, sum).run();
  return Accumulation<double>(how, slice, sum).run();
}

} // namespace mpf
