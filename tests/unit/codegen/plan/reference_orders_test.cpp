// Orders of published networks against the widths in reference.json (one min-fill run by another
// program), and how long planning takes. The report is printed; only quality is a test.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_statistics.h"
#include "dsl/support/error.h"
#include "tests/unit/dsl/formats/reference_data.h"

#include <chrono>
#include <cmath>

using namespace mpf;

namespace {

class ReferenceOrders : public ReferenceData {
protected:
  struct Planned {
    double log2Largest = 0; ///< bucket addresses
    double log2Total = 0;
    double seconds = 0;
    bool refused = false;
  };

  static Planned plan(const Model &model, OrderMethod method) {
    PlanOptions options;
    options.order = method;
    Diagnostics diagnostics;
    Planned planned;
    const auto start = std::chrono::steady_clock::now();
    try {
      const TableProgram program = buildProgram(model, model.queries.front(), options, diagnostics);
      planned.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const ProgramStatistics statistics = programStatistics(program, ElementType::F64);
      planned.log2Largest = statistics.log2LargestAddressCount;
      planned.log2Total = statistics.log2TotalAddressCount;
    } catch (const Error &error) {
      planned.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
      planned.refused = true;
    }
    return planned;
  }
};

TEST_F(ReferenceOrders, NotWorseThanPlainMinFill) {
  double fillSum = 0, autoSum = 0;
  size_t count = 0;
  fmt::print("{:36} {:>13} {:>21} {:>21} {:>13}\n", "instance", "reference", "min-fill, ms",
             "auto, ms", "best known");
  for (const auto &[name, instance] : instances_.items()) {
    if (!instance.contains("minfill") || instance["minfill"].is_null())
      continue;
    const Model read = modelWithEvidence(instance);
    const Planned fill = plan(read, OrderMethod::MinFill);
    const Planned best = plan(read, OrderMethod::Auto);
    const double largest = instance["minfill"].value("log2_max_clique", 0.0);
    const double total = instance["minfill"].value("log2_sum_cliques", 0.0);
    const auto known = instance.value("best_order_found", instance["minfill"]);
    fmt::print("{:36} {:6.1f} {:6.1f} {:6.1f} {:6.1f} {:7.1f} {:6.1f} {:6.1f} {:7.1f} {:6.1f} "
               "{:6.1f}\n",
               name, largest, total, fill.log2Largest, fill.log2Total, fill.seconds * 1e3,
               best.log2Largest, best.log2Total, best.seconds * 1e3,
               known.value("log2_max_clique", 0.0), known.value("log2_sum_cliques", 0.0));
    if (fill.refused || best.refused)
      continue;
    fillSum += fill.log2Total - total;
    autoSum += best.log2Total - total;
    ++count;
  }
  ASSERT_GT(count, 0u);
  const double fillMean = fillSum / static_cast<double>(count);
  const double autoMean = autoSum / static_cast<double>(count);
  fmt::print("{} instances, geometric mean of addresses over the reference's min-fill: "
             "min-fill 2^{:.2f}, auto 2^{:.2f}\n",
             count, fillMean, autoMean);
  EXPECT_LE(fillMean, 0.1);
  EXPECT_LE(autoMean, 0.0);
}

} // namespace
