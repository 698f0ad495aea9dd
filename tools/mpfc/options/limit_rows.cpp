// Memory, time, threads and devices that a command may use, and how it calculates.
#include "codegen/machine/device_request.h"
#include "dsl/support/system/thread_count.h"
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<ElementType> kTypes[] = {{"f64", ElementType::F64},
                                             {"f32", ElementType::F32},
                                             {"u64", ElementType::U64},
                                             {"u128", ElementType::U128}};
constexpr ValueWord<bool> kArithmetic[] = {{"auto", false}, {"log", true}};

/// Returns the words for devices; `leavesOpen`: also those that name none.
template <bool leavesOpen> std::vector<std::string_view> deviceWords() {
  std::vector<std::string_view> words;
  for (const DevicesName &name : devicesNames())
    if (leavesOpen || !name.devices.empty())
      words.push_back(name.word);
  return words;
}

template <bool leavesOpen>
void readDevices(Options &options, const OptionRow &row, const std::string &text) {
  std::optional<std::vector<DeviceId>> devices = devicesNamed(lowerCase(text));
  if (!devices || (!leavesOpen && devices->empty()))
    failUnknownWord(row, text, deviceWords<leavesOpen>());
  options.devices.named = std::move(*devices);
}

template <bool leavesOpen> constexpr OptionValue devicesIn() {
  return {readDevices<leavesOpen>, Completion::Choices, deviceWords<leavesOpen>};
}

void readMemory(Options &options, const OptionRow &row, const std::string &text) {
  options.maxMemoryBytes = parseBytes(text);
  if (!options.maxMemoryBytes)
    fail(ErrorKind::Usage, "{} {}: expected a size such as 512M or 4GiB", row.name, text);
}

constexpr OptionRow kLimitRows[] = {
    {.name = "--max-memory",
     .commands = kOnQueries,
     .group = Limits,
     .metavar = "SIZE",
     .brief = "memory for tables, such as 512M or 4GiB",
     .text =
         "If a plan needs more memory, mpfc computes some parts twice, or in slices. If neither "
         "helps, it is refused.",
     .preset = "the free memory of the host, or of the GPU",
     .value = {readMemory},
     .effects = {&effect::kPlanning, &effect::kRunning, &effect::kOnPlan}},
    {.name = "--time-limit",
     .commands = {Command::Run},
     .group = Limits,
     .metavar = "SECONDS",
     .brief = "the most time, from reading to writing; then exit code 4",
     .text = "Queries that are answered by then are shown.",
     .value = positiveIn<&Options::timeLimitSeconds>(),
     .effects = {&effect::kRunning}},
    {.name = "--time-limit",
     .commands = {Command::CheckKernel},
     .group = Limits,
     .metavar = "SECONDS",
     .brief = "the most time; then exit code 4",
     .preset = "120",
     .value = positiveIn<&Options::timeLimitSeconds>(),
     .effects = {&effect::kRunning}},
    {.name = "--yes",
     .commands = {Command::Run},
     .group = Limits,
     .brief = "run what is predicted to take more than a day",
     .text = "It is refused without --yes or --time-limit. Queries of one run, and cases of a "
             "list, count together.",
     .value = flagIn<&Options::acceptsLongRuns>(),
     .effects = {&effect::kRunning}},
    {.name = "--threads",
     .commands = {Command::Run, Command::Explain, Command::Calibrate, Command::Emit},
     .group = Limits,
     .metavar = "N",
     .brief = "threads of the CPU",
     .text = "They compile kernels too. Results are the same for any N.",
     .preset = "one per core",
     .value = countIn<&Options::threads, 1, kMostThreads>(),
     .effects = {&effect::kRunning, &effect::kScheduling, &effect::kExplaining}},
    {.name = "--device",
     .commands = {Command::Run},
     .group = Limits,
     .metavar = "DEVICE",
     .brief = "what runs the query",
     .text = "auto takes what is predicted to take the least time. If a GPU fails while auto wants "
             "it, the CPU answers, with a warning. gpu is the first GPU, gpu:N the one with number "
             "N, from 0.",
     .preset = "auto",
     .value = devicesIn<true>(),
     .effects = {&effect::kScheduling, &effect::kPlanning, &effect::kOnPlan}},
    {.name = "--device",
     .commands = {Command::Explain},
     .group = Limits,
     .metavar = "DEVICE",
     .brief = "the device of the run that is explained",
     .text = "auto and cpu are bounded by the host's memory, gpu by the GPU's.",
     .preset = "auto",
     .value = devicesIn<true>(),
     .effects = {&effect::kScheduling, &effect::kPlanning, &effect::kOnPlan}},
    {.name = "--device",
     .commands = {Command::Calibrate},
     .group = Limits,
     .metavar = "DEVICE",
     .brief = "what is measured; auto: both",
     .preset = "auto",
     .value = devicesIn<true>(),
     .effects = {&effect::kScheduling}},
    {.name = "--device",
     .commands = {Command::Emit},
     .group = Limits,
     .metavar = "DEVICE",
     .brief = "the device that is scheduled for",
     .preset = "cpu",
     .value = devicesIn<false>(),
     .effects = {&effect::kScheduling, &effect::kPlanning, &effect::kOnPlan}},
    {.name = "--type",
     .commands = kOnQueries,
     .group = Numbers,
     .metavar = "TYPE",
     .brief = "entries of the tables: floating point, or exact whole numbers",
     .text = "A whole number that does not fit u64 or u128 is an error, nothing is rounded.",
     .preset = "as the query says, else f64",
     .value = wordIn<kTypes, &Options::type>(),
     .effects = {&effect::kTables}},
    {.name = "--arithmetic",
     .commands = kOnQueries,
     .group = Numbers,
     .metavar = "KIND",
     .brief = "log computes in logarithms throughout",
     .text = "auto does so where a table's range is too wide.",
     .preset = "auto",
     .value = wordIn<kArithmetic, &Options::forcedLog>(),
     .effects = {&effect::kForms}},
    {.name = "--verify",
     .commands = {Command::Run},
     .group = Numbers,
     .brief = "recompute sampled entries of every operation",
     .text =
         "Single results of tiny models without values below 0 are compared with an enumeration, "
         "too.",
     .value = flagIn<&Options::verify>(),
     .effects = {&effect::kScheduling, &effect::kRunning}},
    {.name = "--verify",
     .commands = {Command::Emit},
     .group = Numbers,
     .brief = "launches of mpfc run --verify",
     .value = flagIn<&Options::verify>(),
     .effects = {&effect::kScheduling, &effect::kRunning}},
};

} // namespace

std::span<const OptionRow> limitRows() { return kLimitRows; }

} // namespace mpf::driver
