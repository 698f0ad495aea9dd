#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/oracle/brute/brute_force_digits.h"
#include "tests/oracle/interpret/interpret_kernel.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {

std::vector<std::vector<double>> randomTables(std::mt19937 &random, const DigitForm &form,
                                              ValueForm valueForm) {
  std::vector<std::vector<double>> tables;
  for (const DigitAccess &operand : form.operands) {
    std::vector<double> table(operand.sizeElems);
    for (double &entry : table) {
      if (operand.packed) { // the interpreter reads entries, not bits
        const bool plain =
            valueForm == ValueForm::Linear && form.semiring.combine == Combine::Times;
        const bool one = random() % 2 != 0;
        entry = plain ? one : one ? 0 : -std::numeric_limits<double>::infinity();
        continue;
      }
      entry = 0.5 + static_cast<double>(random() % 1024) / 1024.0;
      if (valueForm == ValueForm::Log)
        entry = std::log2(entry);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

void checkPlan(const KernelPlan &plan, const Target &target, std::mt19937 &random) {
  const std::string text = printKernel(plan);
  ASSERT_EQ(findFault(plan, target), "") << text;
  Diagnostics diagnostics;
  const auto again = readKernels(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
  ASSERT_TRUE(again && again->size() == 1) << renderDiagnostics(diagnostics) << text;
  const KernelPlan &read = again->front().plan;
  ASSERT_EQ(printKernel(read), text);

  const DigitForm form = plan.operation();
  const ValueForm valueForm = plan.header().valueForm;
  const auto tables = randomTables(random, form, valueForm);
  const Interpretation run = interpretKernel(read, tables);
  ASSERT_EQ(run.fault, "") << text;
  const auto expected = bruteForce(form, valueForm, tables);
  ASSERT_EQ(run.result.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (run.result[i] == expected[i])
      continue; // maybe both infinite
    ASSERT_NEAR(run.result[i], expected[i], 1e-10 * (1 + std::abs(expected[i])))
        << "entry " << i << "\n"
        << text;
  }
}

} // namespace mpf
