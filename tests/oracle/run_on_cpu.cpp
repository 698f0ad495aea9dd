#include "tests/oracle/run_on_cpu.h"

#include "codegen/bundle/verify_bundle.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/brute/brute_force.h"

#include <cmath>
#include <cstring>
#include <fmt/core.h>

namespace mpf::oracle {

std::unique_ptr<Executor> runOnCpu(const Bundle &bundle, unsigned threads,
                                   const CompiledKernelOptions &own) {
  verifyBundle(bundle);
  std::unique_ptr<Executor> executor = makeCpuExecutor(bundle, {threads, own});
  bindObserved(bundle, *executor);
  const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
  executor->run(schedule.steps, {true, 4});
  return executor;
}

namespace {

std::string compareScaled(const Bundle &bundle, const Executor &executor, double tolerance) {
  const std::vector<ExpectedTable> expected = bruteForce(bundle);
  for (size_t b = 0; b < bundle.buffers.size(); ++b) {
    const TableView view = executor.table(BufferId(b));
    for (size_t i = 0; i < view.sizeElems; ++i) {
      const LogValue &want = expected[b].entries[i];
      const long double magnitude = expected[b].magnitudes[i];
      const long double log2 = static_cast<long double>(view.log2Entry(i)) + view.state.scale;
      if (!std::isfinite(log2) && want.sign == 0)
        continue;
      const long double found = view.sign(i) * std::exp2(log2 - magnitude);
      const long double value = want.sign * std::exp2(want.log2 - magnitude);
      if (!(std::abs(found - value) <= static_cast<long double>(tolerance)))
        return fmt::format("{}[{}] is {} * 2^{}, expected {} * 2^{} (form {}, terms 2^{})",
                           bundle.buffers[b].name, i, view.sign(i), static_cast<double>(log2),
                           want.sign, static_cast<double>(want.log2), view.state.form,
                           static_cast<double>(magnitude));
    }
  }
  return {};
}

} // namespace

std::string compareWithBruteForce(const Bundle &bundle, const Executor &executor,
                                  double tolerance) {
  if (!hasPlainTables(bundle))
    return compareScaled(bundle, executor, tolerance);
  const auto expected = bruteForcePlain(bundle);
  for (size_t b = 0; b < bundle.buffers.size(); ++b) {
    const TableView view = executor.table(BufferId(b));
    for (size_t i = 0; i < view.sizeElems; ++i) {
      const auto want = static_cast<double>(expected[b][i]);
      if (view.entry(i) != want &&
          !(std::abs(view.entry(i) - want) <= tolerance * std::max(1.0, std::abs(want))))
        return fmt::format("{}[{}] is {}, expected {}", bundle.buffers[b].name, i, view.entry(i),
                           want);
    }
  }
  return {};
}

bool sameBits(const Bundle &bundle, const Executor &a, const Executor &b) {
  for (size_t i = 0; i < bundle.buffers.size(); ++i) {
    const TableView x = a.table(BufferId(i)), y = b.table(BufferId(i));
    if (x.state.scale != y.state.scale || x.state.form != y.state.form ||
        x.state.minExponent != y.state.minExponent || x.state.maxExponent != y.state.maxExponent)
      return false;
    if (std::memcmp(x.entries, y.entries, x.sizeElems * elementBytes(bundle.type)) != 0)
      return false;
    if (x.signs != nullptr && std::memcmp(x.signs, y.signs, x.sizeElems) != 0)
      return false;
  }
  return true;
}

} // namespace mpf::oracle
