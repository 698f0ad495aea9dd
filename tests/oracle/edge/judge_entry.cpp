#include "tests/oracle/edge/judge_entry.h"

#include <cmath>
#include <fmt/core.h>

namespace mpf::oracle {

namespace {

std::string placeOf(const ResultTable &table, size_t i) {
  return fmt::format("{}[{}]", table.name, i);
}

std::string categoryOf(const ExactNumber &found, const ExactNumber &wanted) {
  if (found.isZero())
    return "0 instead of a number";
  if (wanted.isZero())
    return "a number instead of 0";
  if (found.sign() != wanted.sign())
    return "other sign";
  return isWithin(found, wanted, wanted.abs().shifted(-1)) ? "inaccurate" : "another number";
}

/// Returns the value of Result::at: for a log-sum its logarithm, else the mantissa, which is finite
/// if the entry is.
double readEntry(const ResultTable &table, size_t i) {
  if (std::isnan(table.entries[i]))
    return table.entries[i];
  const ScaledNumber number = table.at(i);
  return table.logValues ? number.ln() : number.mantissa;
}

ExactNumber exactEntry(const ResultTable &table, size_t i) {
  if (table.logValues)
    return ExactNumber::fromDouble(readEntry(table, i));
  const ScaledNumber number = table.at(i);
  return ExactNumber::fromDouble(number.mantissa).shifted(number.exponent);
}

/// Returns the fault of an entry that is no finite number.
EntryFault faultOfInfinite(const ResultTable &table, size_t i, const std::string &wanted) {
  const double read = readEntry(table, i);
  const std::string text = fmt::format("{} is {}, wanted {}", placeOf(table, i), read, wanted);
  if (std::isnan(read))
    return {"not a number", text, true};
  return {read < 0 ? "-inf instead of a number" : "infinite", text};
}

} // namespace

EntryFault faultOfEntry(const ResultTable &table, size_t i, const ExactEntry &wanted,
                        Semiring semiring, const Tolerance &tolerance) {
  const bool wantsMinusInfinity = semiring.combine == Combine::Plus && wanted.zero;
  const double read = readEntry(table, i);
  if (wantsMinusInfinity && read == -kInfinity)
    return {};
  if (!std::isfinite(read))
    return faultOfInfinite(table, i, wantsMinusInfinity ? "-inf" : wanted.value.text());
  const ExactNumber found = exactEntry(table, i);
  if (wantsMinusInfinity)
    return {"a number instead of -inf",
            fmt::format("{} is {}, wanted -inf", placeOf(table, i), found.text())};
  const ExactNumber exact = wanted.value + ExactNumber::fromDouble(wanted.logCorrection);
  if (isWithin(found, exact, tolerance.of(wanted)))
    return {};
  return {categoryOf(found, exact),
          fmt::format("{} is {}, wanted {} (magnitude {})", placeOf(table, i), found.text(),
                      exact.text(), wanted.magnitude.text())};
}

// Tests |found - N / S| <= the quotient's tolerance, multiplied by S^2. Posteriors are plain
// doubles, made by dividing doubles. The latter may be subnormal beside the greatest weight, which
// may be far above a sum that cancels; then their last bits are lost.
EntryFault faultOfPosterior(const ResultTable &table, size_t i, const ExactEntry &weight,
                            const ExactEntry &sum, const Tolerance &tolerance) {
  const double sign = weight.value.sign() * sum.value.sign();
  const double quotient =
      sign * static_cast<double>(std::exp2(weight.value.log2() - sum.value.log2()));
  if (!std::isfinite(readEntry(table, i)))
    return faultOfInfinite(table, i, fmt::format("{}", quotient));
  const ExactNumber found = exactEntry(table, i), s = sum.value.abs();
  const ExactNumber error =
      tolerance.relative() * (weight.magnitude * s + weight.value.abs() * sum.magnitude);
  const ExactNumber least = ExactNumber::powerOfTwo(-1070) * sum.magnitude * s;
  // The product with S would take all memory if the exponent of `found` were wild.
  const bool wild = found.abs() > ExactNumber::powerOfTwo(1024);
  if (!wild && isWithin(found * sum.value * s, weight.value * s, error + least))
    return {};
  return {"posterior: " + categoryOf(wild ? found : found * sum.value, weight.value),
          fmt::format("{} is {}, wanted {}", placeOf(table, i), found.text(), quotient)};
}

} // namespace mpf::oracle
