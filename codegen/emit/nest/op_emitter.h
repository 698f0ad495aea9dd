// How a semiring in a value form reads as program text. The same spellings serve CUDA and C++: the
// preambles of both define the mpf* helpers.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <utility>

namespace mpf {

/// "float", "double", "unsigned long long", "unsigned __int128".
const char *entryTypeText(ElementType type);

struct OpEmitter {
  /// C++ text has no table states: it sums logarithms with a running maximum, whatever the plan.
  OpEmitter(const KernelHeader &plan, const DigitForm &operation, bool cuda);

  std::string type;    ///< entryTypeText
  bool whole = false;  ///< entries are whole numbers: no scale; linear kernels check no overflow
  bool log = false;    ///< entries are base-2 logarithms
  bool logSum = false; ///< accumulators are pairs: greatest term and sum relative to it
  bool split = false;  ///< accumulators are sums of mantissas (dsl/support/scaled_mantissa.h)
  bool scaled = false; ///< tables have ranges, and scales unless whole: Times, and whole numbers.
                       ///< Plus works on plain values
  /// CUDA text in log form: the function that makes an entry what products are formed of, and its
  /// second argument for operand `name`; "" elsewhere.
  std::string converter;
  std::string converterArgument(const std::string &name) const;

  /// The numbers that the bits 0 and 1 of a packed operand stand for in products: zero and one, or
  /// their logarithms.
  std::pair<std::string, std::string> packedEntries() const;
  std::pair<std::string, std::string> logarithmsOfBits() const;

  /// What stands in for an entry that is not there: a reduction ignores it. "0.0f".
  std::string identity() const;
  /// What stands in for it before the converter, where that makes it the identity; "" where nothing
  /// does (the form of the table decides), so that the identity must be put in afterwards.
  std::string absent() const;
  std::string combine(const std::string &left, const std::string &right) const;
  /// A statement that reduces `value` into accumulator element `index` of acc (and accSum).
  std::string reduce(const std::string &index, const std::string &value) const;
  /// Statements' text that start accumulator element `index`.
  std::string start(const std::string &index) const;
  /// The reduced entry of accumulator element `index`, before any rescaling; split sums need none,
  /// and this is wrong for those below the limit (underflow_recompute.h).
  std::string total(const std::string &index) const;

private:
  enum class Reduction { Sum, Max, Min, LogSum, TermSum };
  std::string zero() const { return whole ? "0" : type == "float" ? "0.0f" : "0.0"; }

  Reduction reduction_;
  bool multiply_;
};

} // namespace mpf
