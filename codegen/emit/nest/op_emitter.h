// Prints the operations of a semiring, in linear or log form, as CUDA text. The preambles define
// the mpf* helpers.
#pragma once

#include "codegen/bundle/entry_type_text.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <utility>

namespace mpf {

struct OpEmitter {
  OpEmitter(const KernelHeader &plan, const DigitForm &operation);

  std::string type;       ///< entryTypeText
  bool isInteger = false; ///< entries are whole numbers: no scale; linear kernels check no overflow
  bool log = false;       ///< entries are base-2 logarithms
  bool logSum = false;    ///< accumulators are pairs: greatest term and sum relative to it
  bool sumsMantissas =
      false;           ///< accumulators are sums of mantissas (dsl/support/scaled_mantissa.h)
  bool scaled = false; ///< tables have states: ranges and, unless integer, scales. True for whole
                       ///< numbers and for semirings that multiply; addition takes plain values
  /// The function that converts a loaded entry to the number that products are formed of; "" in
  /// linear form.
  std::string converter;
  /// Its second argument for operand `name`.
  std::string converterArgument(const std::string &name) const;

  /// The texts of the numbers that the bits 0 and 1 of a packed operand stand for in products: zero
  /// and one, or their logarithms.
  std::pair<std::string, std::string> packedEntries() const;
  std::pair<std::string, std::string> logarithmsOfBits() const;

  /// The value used for entries outside a guarded extent, as "0.0f": reductions ignore it.
  std::string identity() const;
  /// A value that the converter turns into the identity. "" where there is none, because the form
  /// of the table decides; the identity must then be set after the conversion.
  std::string absent() const;
  std::string combine(const std::string &left, const std::string &right) const;
  /// The statement that reduces `value` into accumulator element `index` of acc (and accSum).
  std::string reduce(const std::string &index, const std::string &value) const;
  /// The statements that initialise accumulator element `index`.
  std::string start(const std::string &index) const;
  /// The reduced entry of accumulator element `index` before rescaling. Sums of mantissas need no
  /// rescaling; for those below the limit this value is wrong (underflow_recompute.h).
  std::string total(const std::string &index) const;

private:
  enum class Reduction { Sum, Max, Min, LogSum, TermSum };
  std::string zero() const { return isInteger ? "0" : type == "float" ? "0.0f" : "0.0"; }

  Reduction reduction_;
  bool multiply_;
};

} // namespace mpf
