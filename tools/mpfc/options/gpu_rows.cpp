// GPUs, their kernels, and trust in bundles that hold kernels.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

void readAutotune(Options &options, const OptionRow &, const std::string &text) {
  constexpr uint64_t kUsual = 8;
  constexpr uint64_t kMost = 64;
  const std::optional<uint64_t> candidates = text.empty() ? kUsual : parseUnsigned(text);
  if (!candidates || *candidates == 1 || *candidates > kMost)
    fail(ErrorKind::Usage, "--autotune={}: expected 0, or 2 to {} kernels to measure", text, kMost);
  options.autotune = static_cast<uint32_t>(*candidates);
}

constexpr OptionRow kGpuRows[] = {
    {.name = "--target",
     .commands = {Command::Emit},
     .group = Gpu,
     .metavar = "SM",
     .brief = "device to plan kernels for",
     .preset = "sm_90",
     .value = textIn<&Options::target>(),
     .effects = {&effect::kKernels, &effect::kPlanning, &effect::kCompilingText, &effect::kOnPlan}},
    {.name = "--target",
     .commands = {Command::Explain},
     .group = Gpu,
     .metavar = "SM",
     .brief = "GPU to predict times for",
     .preset = "sm_90",
     .value = textIn<&Options::target>(),
     .effects = {&effect::kKernels, &effect::kPlanning, &effect::kCompilingText, &effect::kOnPlan}},
    {.name = "--target",
     .commands = {Command::Build},
     .group = Gpu,
     .metavar = "SM",
     .brief = "GPU to plan kernels for, such as sm_90",
     .value = textIn<&Options::target>(),
     .effects = {&effect::kKernels, &effect::kPlanning, &effect::kCompilingText, &effect::kOnPlan}},
    {.name = "--arch",
     .commands = {Command::Build},
     .group = Gpu,
     .metavar = "SM",
     .brief = "put machine code for this GPU into the bundle: sm_90",
     .value = textsIn<&Options::archs>(),
     .count = OptionCount::Any},
    {.name = "--arch",
     .commands = {Command::Cache},
     .group = Gpu,
     .metavar = "SM",
     .brief = "fill: for this GPU, such as sm_90",
     .preset = "the machine's",
     .value = textsIn<&Options::archs>(),
     .count = OptionCount::Any},
    {.name = "--autotune",
     .commands = {Command::Run, Command::Build},
     .group = Gpu,
     .metavar = "N",
     .brief = "measure N candidates of each kernel where that can pay",
     .text = "The cache keeps the fastest one for later runs. N is 8, or the number behind the "
             "equals sign. --autotune=0: no kept choice is used.",
     .value = {readAutotune},
     .needsEquals = true,
     .effects = {&effect::kBundling}},
    {.name = "--trust",
     .commands = {Command::Run, Command::Build},
     .group = Gpu,
     .brief = "use the GPU kernels of a bundle unchecked",
     .text = "Machine code too: its writer may do what you may.",
     .value = flagIn<&Options::trust>(),
     .effects = {&effect::kCompiling}},
};

} // namespace

std::span<const OptionRow> gpuRows() { return kGpuRows; }

} // namespace mpf::driver
