// Tests that plans for few and for many runs give the same answers, on the CPU and, if there is
// one, on the GPU. Their orders differ because trials of another one pay
// (codegen/plan/faster_order.h).
#include "runtime/api/session.h"
#include "runtime/machine/gpu_backend.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace mpf::oracle {
namespace {

/// Returns a grid of pairwise factors, all different.
std::string gridText(int side, const std::string &query) {
  std::string text = fmt::format("var x[{}] : 2\n", side * side);
  for (int i = 0; i < side * side; ++i)
    for (const int there :
         {(i + 1) % side != 0 ? i + 1 : -1, i + side < side * side ? i + side : -1})
      if (there >= 0)
        text += fmt::format("factor f{0}_{1}(x[{0}], x[{1}]) = [[{2}, 1], [1, {3}]]\n", i, there,
                            1 + i * 7 % 5 * 0.3, 0.5 + (i + there) % 4 * 0.4);
  return text + "query " + query + "\n";
}

class FasterOrderRun : public testing::TestWithParam<const char *> {};

TEST_P(FasterOrderRun, PlansForManyRunsAnswerAsThoseForOne) {
  const std::string device = GetParam();
  if (device == "gpu" && !gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  bool anyOther = false;
  for (const char *query : {"evidence", "marginals"}) {
    const std::string text = gridText(12, query);
    CompileOptions options;
    options.device = device;
    options.expectedRuns = 1;
    SessionOptions on;
    on.device = device;
    const Program once = compileText(text, options);
    const Result expected = Session(once, on).run();
    for (const double runs : {100.0, 3000.0}) {
      options.expectedRuns = runs;
      const Program often = compileText(text, options);
      anyOther |= often.bundle().workArenaBytes != once.bundle().workArenaBytes;
      const Result result = Session(often, on).run();
      ASSERT_EQ(result.tables.size(), expected.tables.size());
      for (size_t t = 0; t < result.tables.size(); ++t)
        for (size_t e = 0; e < result.tables[t].entries.size(); ++e)
          ASSERT_NEAR(result.tables[t].at(e).log10(), expected.tables[t].at(e).log10(), 1e-10)
              << query << ", " << runs << " runs, table " << t;
    }
  }
  EXPECT_TRUE(anyOther);
}

INSTANTIATE_TEST_SUITE_P(Devices, FasterOrderRun, testing::Values("cpu", "gpu"));

} // namespace
} // namespace mpf::oracle
