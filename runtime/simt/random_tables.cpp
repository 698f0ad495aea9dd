#include "runtime/simt/random_tables.h"

#include <cmath>

namespace mpf::simt {

namespace {

/// True if values are multiplied, so that tables have scales.
bool isScaled(Semiring semiring) { return !addsPlainValues(semiring); }

/// Returns entries in (0.5, 2), every eighth one zero. Plus semirings: in (-4, 4). Whole types: 0
/// to 7.
std::vector<double> randomValues(size_t size, Semiring semiring, ElementType type,
                                 std::mt19937_64 &random) {
  std::vector<double> values(size);
  for (double &value : values) {
    if (isIntegerType(type)) {
      value = static_cast<double>(random() % 8);
      continue;
    }
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    // Rounded to float, so that both element types get equal numbers.
    value = static_cast<float>(isScaled(semiring) ? std::exp2(2 * unit - 1) : 8 * unit - 4);
    if (isScaled(semiring) && random() % 8 == 0)
      value = 0;
  }
  return values;
}

/// Returns the entries of a packed table: zeros and ones of the semiring of values.
std::vector<double> randomBits(size_t size, Semiring semiring, std::mt19937_64 &random) {
  semiring = semiringOfNumbers(semiring);
  std::vector<double> values(size);
  for (double &value : values)
    value = random() % 4 == 0 ? reduceIdentity(semiring) : combineIdentity(semiring.combine);
  return values;
}

} // namespace

RandomOperands randomOperands(const TestKernel &kernel, std::mt19937_64 &random) {
  const KernelHeader &plan = kernel.header();
  const Semiring semiring = kernel.operation.semiring;
  RandomOperands operands;
  for (const DigitAccess &operand : kernel.operation.operands) {
    std::vector<double> values = operand.packed
                                     ? randomBits(operand.sizeElems, semiring, random)
                                     : randomValues(operand.sizeElems, semiring, plan.type, random);
    const auto scale = isScaled(semiring) && !isIntegerType(plan.type) && !operand.packed
                           ? static_cast<int32_t>(random() % 41) - 20
                           : 0;
    const bool log = plan.valueForm == ValueForm::Log && random() % 2 == 0;
    operands.tables.push_back(log ? KernelTable::log(values, plan.type, scale)
                                  : KernelTable::linear(values, plan.type, scale));
    operands.values.push_back(std::move(values));
  }
  return operands;
}

} // namespace mpf::simt
