#include "tests/unit/kernel_test_support.h"

#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/oracle/interpret_kernel.h"
#include "tests/unit/bucket_builder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {

TableProgram randomBucket(std::mt19937 &random, const RandomBucketLimits &limits) {
  static constexpr uint32_t kExtents[] = {1, 2, 2, 2, 3, 4, 5, 7, 8, 11, 13, 16, 32, 67, 128, 500};
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t count = 1 + below(limits.variables);
  std::string order, kept;
  std::vector<uint32_t> extents;
  uint64_t addresses = 1;
  for (size_t v = 0; v < count; ++v) {
    uint32_t extent = kExtents[below(std::size(kExtents))];
    if (addresses * extent > limits.addresses)
      extent = 2;
    addresses *= extent;
    order += static_cast<char>('a' + v);
    extents.push_back(extent);
  }
  const size_t keptCount = below(count + 1);
  std::vector<std::string> operands(1 + below(limits.operands));
  for (size_t v = 0; v < count; ++v) {
    const bool anywhere = below(2) == 0; // reduced variables may stand anywhere in the order
    if (anywhere ? below(count) < keptCount : v < keptCount)
      kept += order[v];
    bool used = false;
    for (std::string &operand : operands)
      if (below(2) == 0) {
        operand += order[v];
        used = true;
      }
    if (!used)
      operands[below(operands.size())] += order[v];
  }
  return bucket(order, extents, operands, kept);
}

std::vector<std::vector<double>> randomTables(std::mt19937 &random, const DigitForm &form,
                                              ValueForm valueForm) {
  std::vector<std::vector<double>> tables;
  for (const DigitAccess &operand : form.operands) {
    std::vector<double> table(operand.sizeElems);
    for (double &entry : table) {
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
  const auto again = readKernel(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
  ASSERT_TRUE(again.has_value()) << renderDiagnostics(diagnostics) << text;
  ASSERT_EQ(printKernel(*again), text);

  const auto tables = randomTables(random, plan.form, plan.valueForm);
  const Interpretation run = interpretKernel(*again, tables);
  ASSERT_EQ(run.fault, "") << text;
  const auto expected = bruteForce(plan.form, plan.valueForm, tables);
  ASSERT_EQ(run.result.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(run.result[i], expected[i], 1e-10 * (1 + std::abs(expected[i])))
        << "entry " << i << "\n"
        << text;
}

} // namespace mpf
