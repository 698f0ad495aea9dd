// How a semiring in a value form reads as program text. The same spellings serve CUDA and C++: the
// preambles of both define the mpf* helpers.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

struct OpText {
  explicit OpText(const KernelPlan &plan);

  std::string type;    ///< "float", "double"
  bool log = false;    ///< entries are base-2 logarithms
  bool logSum = false; ///< accumulators are pairs: greatest term and sum relative to it
  bool scaled = false; ///< tables have scales and ranges: Times. Plus works on plain values

  /// The element that a reduction ignores, as text: "0", "mpfInfinity<float>()".
  std::string identity() const;
  std::string combine(const std::string &left, const std::string &right) const;
  /// A statement that reduces `value` into accumulator element `index` of acc (and accSum).
  std::string reduce(const std::string &index, const std::string &value) const;
  /// Statements' text that start accumulator element `index`.
  std::string start(const std::string &index) const;
  /// The reduced entry of accumulator element `index`, before any rescaling.
  std::string total(const std::string &index) const;

private:
  enum class Reduction { Sum, Max, Min, LogSum };
  Reduction reduction_;
  bool multiply_;
};

} // namespace mpf
