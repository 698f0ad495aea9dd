// mpfc check-kernel: checks whether an edited CUDA text may run.
#include "dsl/formats/load_text.h"
#include "dsl/support/error.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/kernel_checker.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <cmath>

namespace mpf::driver {

namespace {

constexpr double kDefaultLimitSeconds = 120;
constexpr double kMostSeconds = 1e6;

} // namespace

int runCheckKernel(const Options &options) {
  const double seconds = options.timeLimitSeconds == 0
                             ? kDefaultLimitSeconds
                             : std::min(options.timeLimitSeconds, kMostSeconds);
  const KernelVerdict verdict =
      checkKernelText(options.input, loadText(options.input)->text(),
                      std::chrono::milliseconds(static_cast<int64_t>(std::ceil(seconds * 1e3))));
  if (verdict.isSound)
    writeResult(options, verdict.text);
  else
    say("{}", verdict.text);
  return verdict.isSound ? 0 : exitCode(ErrorKind::BadInput);
}

} // namespace mpf::driver
