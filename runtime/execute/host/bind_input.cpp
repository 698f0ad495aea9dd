#include "runtime/execute/host/bind_input.h"

#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/support/numbers/table_number.h"
#include "runtime/execute/host/digit_loop.h"
#include "runtime/execute/host/exponent_bits.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/execute/host/magnitudes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mpf {

namespace {

/// The greatest logarithm of an input: an int32_t holds exponents of products of many such values.
constexpr double kGreatestLog2 = 1e9;

/// value = mantissa * 2^exponent; plain values have exponent 0.
struct GivenValue {
  double mantissa = 0;
  int64_t exponent = 0;

  /// Returns the nearest finite double, which is 0 only if the value is.
  double nearest() const {
    return exponent == 0 || mantissa == 0
               ? mantissa
               : nearestFinite(ScaledNumber::fromValue(mantissa, exponent));
  }
};

std::string textOf(const GivenValue &value) {
  return value.exponent == 0
             ? formatDouble(value.mantissa)
             : formatScaled(ScaledNumber::fromValue(value.mantissa, value.exponent));
}

/// The restricted, permuted values in order: calls f(value) once per entry of the layout.
class Restriction {
public:
  Restriction(const Bundle &bundle, const BundleInput &input, std::span<const double> values,
              const Evidence &evidence)
      : values_(values, input.raw ? values.size() : valueCount(bundle, input)) {
    MPF_CHECK(holdsValues(values.size(), values_.size()), "{} values for {} entries of {}",
              values.size(), values_.size(), input.factor);
    if (input.raw) {
      digits_.push_back({values.size(), {1}});
      return;
    }
    const TableMap map = mapOfInput(bundle, input, evidence);
    base_ = map.baseElems;
    digits_ = loopDigits(map.digits);
  }

  /// Returns the place of a value; null: values are wide.
  const double *plain(uint64_t source) const { return values_.plain(source); }
  uint64_t size() const { return addressCount(digits_); }
  uint64_t givenSize() const { return values_.size(); }
  /// Calls f(first, count, step) for rows of entries that follow each other in the layout: the
  /// places of a row in the given values are first, first + step, ...
  template <class F> void forEachRow(F f) const {
    const size_t outer = digits_.empty() ? 0 : digits_.size() - 1;
    const uint64_t count = digits_.empty() ? 1 : digits_.back().extent;
    const uint64_t step = digits_.empty() ? 0 : digits_.back().strides[0];
    DigitLoop loop(std::span<const LoopDigit>(digits_).first(outer), 1);
    do
      f(base_ + loop.offset(0), count, step);
    while (loop.next());
  }
  template <class F> void forEach(F f) const {
    uint64_t index = 0;
    forEachWithSource([&](uint64_t, const GivenValue &value) { f(index++, value); });
  }
  /// Calls f(index in the given values, value) once per entry of the layout.
  template <class F> void forEachWithSource(F f) const {
    forEachRow([&](uint64_t source, uint64_t count, uint64_t step) {
      for (uint64_t i = 0; i < count; ++i, source += step)
        f(source, GivenValue{values_.mantissa(source), values_.exponent(source)});
    });
  }

private:
  StoredValues values_;
  std::vector<LoopDigit> digits_;
  uint64_t base_ = 0;
};

/// The rule that values of an input must obey.
class ValueRule {
public:
  ValueRule(const Bundle &bundle, const BundleInput &input)
      : factor_(input.factor), type_(bundle.type), isInteger_(isIntegerType(bundle.type)),
        logs_(bundle.logInputs), hasInfinity_(bundle.logInputs || hasPlainTables(bundle)),
        hasNegative_(hasInfinity_ || bundle.signedValues) {}

  /// Throws for a value that breaks the rule. `index`: its place in the given values.
  void check(uint64_t index, const GivenValue &given) const {
    // Other values must be finite and have an allowed sign, which the mantissa shows.
    const double value = isInteger_ || logs_ ? given.nearest() : given.mantissa;
    if (isInteger_ ? !isIntegerBelow(value, integerBits(type_))
                   : !std::isfinite(value) || (value < 0 && !hasNegative_) ||
                         (logs_ && std::abs(value * std::numbers::log2e) > kGreatestLog2))
      refuse(index, value, textOf(given));
  }

  /// Whether all values with these magnitudes obey the rule. False: they may obey it.
  bool takes(const Magnitudes &values) const {
    return !isInteger_ && !logs_ && values.allFinite() && (hasNegative_ || !values.hasNegative);
  }

private:
  void refuse(uint64_t index, double value, const std::string &text) const {
    if (isInteger_)
      fail(ErrorKind::BadInput, "factor {}: entry {} is {}, not a whole number from 0 to 2^{} - 1",
           factor_, index, text, integerBits(type_));
    if (value == -kInfinity && hasInfinity_)
      return;
    if (!std::isfinite(value))
      fail(ErrorKind::BadInput, "factor {}: entry {} is {}, not a finite number", factor_, index,
           text);
    if (value < 0 && !hasNegative_)
      fail(ErrorKind::BadInput,
           "factor {}: entry {} is {}, but the program was built for values that are not negative",
           factor_, index, text);
    fail(ErrorKind::BadInput, "factor {}: entry {}: e^{} is beyond any scale", factor_, index,
         text);
  }

  const std::string &factor_;
  ElementType type_;
  bool isInteger_, logs_, hasInfinity_, hasNegative_;
};

/// Returns the range of exponents of the non-zero values. Checks each value. `magnitudes`: those of
/// all values, if they are plain.
TableState rangeOf(const Bundle &bundle, const BundleInput &input, const Restriction &restriction,
                   const std::optional<Magnitudes> &magnitudes) {
  TableState range;
  const ValueRule rule(bundle, input);
  if (magnitudes && rule.takes(*magnitudes)) {
    if (!magnitudes->allZero()) {
      range.minExponent = exponentOf(magnitudes->least());
      range.maxExponent = exponentOf(magnitudes->greatest());
    }
    return range;
  }
  restriction.forEachWithSource([&](uint64_t source, const GivenValue &value) {
    rule.check(source, value);
    if (value.mantissa == (bundle.logInputs ? -kInfinity : 0) || !std::isfinite(value.mantissa))
      return;
    const int exponent = bundle.logInputs
                             ? static_cast<int>(std::floor(value.nearest() * std::numbers::log2e))
                             : exponentOf(value.mantissa) + static_cast<int>(value.exponent);
    range.minExponent = std::min(range.minExponent, exponent);
    range.maxExponent = std::max(range.maxExponent, exponent);
  });
  return range;
}

/// Widens the exponents of `state` by a stored entry, which has been rounded to T.
template <class T> void recordExponent(TableState &state, T entry) {
  const bool zero = state.form == 0 ? entry == 0 : entry == -std::numeric_limits<T>::infinity();
  if (zero)
    return;
  const int32_t exponent =
      state.form == 0 ? exponentOf(entry) : static_cast<int32_t>(std::floor(entry));
  state.minExponent = std::min(state.minExponent, exponent);
  state.maxExponent = std::max(state.maxExponent, exponent);
}

/// Returns the magnitudes of plain values. If no state is observed these are all values, and their
/// order does not matter. `all`: those of all values, if they are known.
Magnitudes magnitudesOf(const Restriction &restriction, const std::optional<Magnitudes> &all) {
  Magnitudes magnitudes;
  if (restriction.size() == restriction.givenSize()) {
    if (all)
      return *all;
    magnitudes.add(restriction.plain(0), restriction.size(), 1);
    return magnitudes;
  }
  restriction.forEachRow([&](uint64_t first, uint64_t count, uint64_t step) {
    magnitudes.add(restriction.plain(first), count, step);
  });
  return magnitudes;
}

/// Binds finite doubles of any exponents as entries of linear form. `scaled` multiplies by a power
/// of two. Rounding keeps their order, so the exponents of the extremes are those of all entries.
template <class T>
void bindPlain(const Restriction &restriction, const Magnitudes &magnitudes,
               const ScaledBy<double> &scaled, T *entries, TableState &state) {
  restriction.forEachRow([&](uint64_t first, uint64_t count, uint64_t step) {
    const double *const values = restriction.plain(first);
    for (uint64_t i = 0; i < count; ++i)
      entries[i] = static_cast<T>(scaled(values[i * step]));
    entries += count;
  });
  recordExponent(state, static_cast<T>(scaled(magnitudes.least())));
  recordExponent(state, static_cast<T>(scaled(magnitudes.greatest())));
}

/// Multiplies values by a power of two and rounds once.
class Scaling {
public:
  explicit Scaling(int64_t exponent) : exponent_(exponent), plain_(exponent) {}
  double operator()(const GivenValue &value) const {
    constexpr int64_t kBeyond = 5000; // beyond the exponent of any double
    return value.exponent == 0
               ? plain_(value.mantissa)
               : std::ldexp(value.mantissa, static_cast<int>(std::clamp(value.exponent + exponent_,
                                                                        -kBeyond, kBeyond)));
  }

private:
  int64_t exponent_;
  ScaledBy<double> plain_;
};

template <class T>
TableState bindAs(const Bundle &bundle, const BundleInput &input, const Restriction &restriction,
                  std::byte *memory, int32_t sumExponent, const std::optional<Magnitudes> &all) {
  T *entries = reinterpret_cast<T *>(memory);
  std::optional<Magnitudes> magnitudes;
  if (restriction.plain(0) != nullptr)
    magnitudes = magnitudesOf(restriction, all);
  const TableState range = rangeOf(bundle, input, restriction, magnitudes);
  if (hasPlainTables(bundle)) {
    const Scaling scaled(-sumExponent);
    restriction.forEach([&](uint64_t i, const GivenValue &value) {
      entries[i] = static_cast<T>(scaled(value));
      if (std::isinf(entries[i]) && std::isfinite(value.mantissa))
        fail(ErrorKind::BadInput, "factor {}: entry {} is {}, too large for a scale of 2^{}",
             input.factor, i, textOf(value), sumExponent);
    });
    return {0, 0, 0, 0};
  }
  TableState state;
  if (range.allZero()) {
    restriction.forEach([&](uint64_t i, const GivenValue &) { entries[i] = 0; });
    return state;
  }
  state.scale = range.maxExponent;
  const int64_t spread = int64_t{range.maxExponent} - range.minExponent;
  state.form = bundle.forcedLog || spread > -exponentRange(bundle.type).least ? 1 : 0;
  int8_t *signs = reinterpret_cast<int8_t *>(entries + bundle.buffer(input.buffer).sizeElems);
  if (state.form == 0 && magnitudes && !bundle.logInputs) {
    bindPlain(restriction, *magnitudes, ScaledBy<double>(-state.scale), entries, state);
    return state;
  }
  const Scaling scaled(-state.scale);
  restriction.forEach([&](uint64_t i, const GivenValue &value) {
    const double log2 = bundle.logInputs ? value.nearest() * std::numbers::log2e - state.scale : 0;
    if (state.form == 0) {
      entries[i] = static_cast<T>(bundle.logInputs ? std::exp2(log2) : scaled(value));
    } else {
      int exponent = 0;
      const double mantissa = std::frexp(std::abs(value.mantissa), &exponent);
      const int64_t power = exponent + value.exponent - state.scale;
      entries[i] = static_cast<T>(
          bundle.logInputs ? log2 : std::log2(mantissa) + static_cast<double>(power));
      if (bundle.signedValues)
        signs[i] = value.mantissa < 0 && !bundle.logInputs ? -1 : 1;
    }
    recordExponent(state, entries[i]);
  });
  return state;
}

template <class T>
TableState bindIntegers(const Bundle &bundle, const BundleInput &input,
                        const Restriction &restriction, std::byte *memory) {
  T *entries = reinterpret_cast<T *>(memory);
  const ValueRule rule(bundle, input);
  restriction.forEachWithSource(
      [&rule](uint64_t source, const GivenValue &value) { rule.check(source, value); });
  T least = static_cast<T>(-1), greatest = 0;
  restriction.forEach([&](uint64_t i, const GivenValue &value) {
    entries[i] = static_cast<T>(value.nearest());
    greatest = std::max(greatest, entries[i]);
    least = entries[i] == 0 ? least : std::min(least, entries[i]);
  });
  return integerState(least, greatest);
}

} // namespace

bool hasPlainTables(const Bundle &bundle) {
  return !bundle.operations.empty() && addsPlainValues(bundle.operations.front().semiring);
}

bool minimises(const Bundle &bundle) {
  return !bundle.operations.empty() && bundle.operations.front().semiring.reduce == Reduce::Min;
}

std::optional<Magnitudes> checkInput(const Bundle &bundle, const BundleInput &input,
                                     const StoredValues &values) {
  const ValueRule rule(bundle, input);
  std::optional<Magnitudes> magnitudes;
  if (!values.isWide())
    magnitudes.emplace().add(values.plain(0), values.size(), 1);
  if (!magnitudes || !rule.takes(*magnitudes))
    for (uint64_t i = 0; i < values.size(); ++i)
      rule.check(i, {values.mantissa(i), values.exponent(i)});
  requireRows(input.factor, values, input.rowElems);
  return magnitudes;
}

std::optional<int32_t> greatestExponent(const Bundle &bundle, const BundleInput &input,
                                        std::span<const double> values, const Evidence &evidence) {
  std::optional<int32_t> greatest;
  Restriction(bundle, input, values, evidence).forEach([&](uint64_t, const GivenValue &value) {
    if (!std::isfinite(value.mantissa) || value.mantissa == 0)
      return;
    const auto exponent = static_cast<int32_t>(exponentOf(value.mantissa) + value.exponent);
    greatest = std::max(greatest.value_or(exponent), exponent);
  });
  return greatest;
}

TableState bindInput(const Bundle &bundle, const BundleInput &input, std::span<const double> values,
                     const Evidence &evidence, std::byte *memory, int32_t sumExponent,
                     const std::optional<Magnitudes> &all) {
  const Restriction restriction(bundle, input, values, evidence);
  switch (bundle.type) {
  case ElementType::F32:
    return bindAs<float>(bundle, input, restriction, memory, sumExponent, all);
  case ElementType::F64:
    return bindAs<double>(bundle, input, restriction, memory, sumExponent, all);
  case ElementType::U64:
    return bindIntegers<uint64_t>(bundle, input, restriction, memory);
  case ElementType::U128:
    break;
  }
  return bindIntegers<Uint128>(bundle, input, restriction, memory);
}

void bindTables(const Bundle &bundle, Executor &executor) {
  for (const BundleInput &input : bundle.inputs)
    executor.setInput(input.buffer, bindInput(bundle, input, *bundle.tables[*input.table],
                                              bundle.evidence, executor.inputMemory(input.buffer)));
}

} // namespace mpf
