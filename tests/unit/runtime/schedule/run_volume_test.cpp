// The volume of a whole run, and of the part that new values of unbound inputs change.
#include "runtime/schedule/run_volume.h"

#include "tests/oracle/bundle_builder.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(RunVolume, CountsWhatNewValuesOfUnboundInputsChange) {
  constexpr Semiring kSumProduct{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(4);
  const BufferId f = builder.input({x, y}, std::vector<double>(12, 0.5));
  const BufferId seen = builder.input({x}, {1, 1, 1});
  const BufferId constant = builder.operation(kSumProduct, {f}, {x});            // 12 addresses
  const BufferId product = builder.operation(kSumProduct, {constant, seen}, {}); // 3, of 2 operands
  builder.output(product);
  Bundle bundle = builder.finish();
  const RunVolume whole = volumeOf(bundle);
  EXPECT_EQ(whole.operations, 2u);
  EXPECT_EQ(whole.loads, 12 + 6);
  EXPECT_EQ(changeOfUnbound(bundle).operations, (std::vector<char>{0, 0}));
  EXPECT_EQ(changeOfUnbound(bundle).inputs, 0u);
  bundle.inputs[1].table.reset(); // a host program binds it
  const UnboundChange change = changeOfUnbound(bundle);
  EXPECT_EQ(change.operations, (std::vector<char>{0, 1}));
  EXPECT_EQ(change.inputs, 1u);
  EXPECT_EQ(change.inputBytes, 3 * sizeof(double));
  bundle.inputs[0].table.reset();
  EXPECT_EQ(changeOfUnbound(bundle).operations, (std::vector<char>{1, 1}));
}

} // namespace
} // namespace mpf
