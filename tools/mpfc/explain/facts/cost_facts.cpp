#include "tools/mpfc/explain/facts/cost_facts.h"

#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/kernel_choice.h"
#include "dsl/support/system/thread_count.h"
#include "tools/mpfc/explain/facts/chain_facts.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace mpf {

namespace {

// Times of planning besides the search (RunCosts::searchUs), within a factor of two on the machines
// measured: of an operation in the passes, and of a table entry in the simplifier.
constexpr double kPassesUs = 5;
constexpr double kSimplifyEntryUs = 0.1;

/// Rates for plans that are too large for a bundle, within a factor of three; addPlacement predicts
/// the others. They count combined operand entries, on all threads of the CPU or with the
/// table-driven kernels.
constexpr double kCpuLoadsPerUs = 2000, kGpuLoadsPerUs = 50000;
constexpr double kCpuOperationUs = 0.5;

double roughCpuUs(double loads, double operations) {
  return loads / kCpuLoadsPerUs + kCpuOperationUs * operations;
}

/// Returns the devices of the program by the rates above, which addPlacement replaces.
AnswerPlan roughAnswer(const QueryExplanation &explanation, double loads, double operations,
                       const CostOptions &options) {
  const GpuSpeed &speed = options.speed.gpu;
  const MemoryFacts &memory = explanation.memory;
  RoughProgram program{explanation.query, memory.peakBytes, roughCpuUs(loads, operations)};
  program.gpuOnceUs = speed.openUs + options.tableKernelsUs;
  program.gpuUs = program.gpuOnceUs +
                  static_cast<double>(memory.inputBytes) / speed.copyBytesPerUs +
                  loads / kGpuLoadsPerUs + (speed.launchUs + speed.stepUs) * operations;
  return chooseRoughly(program, answerConditions(options, memory));
}

struct GpuCosts {
  double runUs = 0;
  std::vector<bool> suits; ///< by bucket: KernelChoice::suitsKernels; false if no kernel was sought
  std::vector<std::string> kernels; ///< names of the buckets' kernels, then those of chains

  size_t compiled() const { // equal shapes share a kernel
    std::set<std::string> names(kernels.begin(), kernels.end());
    names.erase("");
    return names.size();
  }
};

GpuCosts addGpuTimes(const TableProgram &program, const CostOptions &options,
                     std::vector<BucketFacts> &buckets) {
  GpuCosts costs;
  const KernelOptions &kernel = options.kernel;
  costs.kernels.resize(buckets.size());
  costs.suits.resize(buckets.size(), false);
  std::vector<OpId> run;
  for (size_t i = 0; i < buckets.size(); ++i)
    if (buckets[i].addresses <= kCountableAddresses && buckets[i].runs != 0)
      run.push_back(OpId(i));
  const std::vector<KernelChoice> choices = chooseKernels(
      program, run, kernel, {options.expectedRuns, options.planningRuns}, 0, options.planned.get());
  for (size_t k = 0; k < run.size(); ++k) {
    const KernelChoice &choice = choices[k];
    const size_t i = run[k].index();
    BucketFacts &bucket = buckets[i];
    const FloorTerms floor =
        floorTerms(buildDigitForm(program, run[k]), kernel.type, kernel.valueForm, kernel.target);
    bucket.floorBytesUs = bucket.runs * floor.bytesUs;
    bucket.floorArithmeticUs = bucket.runs * floor.arithmeticUs;
    bucket.specialisedKernel = choice.kernel.has_value();
    bucket.gpuUs = bucket.runs * choice.timeUs();
    costs.suits[i] = choice.suitsKernels;
    if (choice.kernel)
      costs.kernels[i] = choice.kernel->header().name;
    costs.runUs += bucket.gpuUs;
  }
  return costs;
}

/// Adds the times of chains; call it after the buckets have their separate times.
void addChains(const TableProgram &program, const CostOptions &options, GpuCosts &costs,
               QueryExplanation &explanation) {
  explanation.chains = chainFacts(program, options, costs.suits, explanation.buckets);
  for (const ChainFacts &chain : explanation.chains) {
    if (chain.kernel.empty())
      continue;
    costs.runUs += chain.chainUs - chain.aloneUs;
    costs.kernels.push_back(chain.kernel);
    for (uint32_t i = chain.first; i < chain.first + chain.count; ++i) {
      explanation.buckets[i].gpuUs *= chain.chainUs / chain.aloneUs;
      if (!keepsSpecialisedKernels(options.kernel.type))
        costs.kernels[i].clear();
    }
  }
}

void addPhases(double cpuUs, const GpuCosts &gpu, const CostOptions &options,
               QueryExplanation &explanation) {
  const GpuSpeed &speed = options.speed.gpu;
  const double uploadUs = static_cast<double>(explanation.memory.inputBytes) / speed.copyBytesPerUs;
  const std::string &name = options.kernel.target.name;
  const auto add = [&](std::string device, std::string phase, double timeUs, bool once,
                       std::string why) {
    explanation.phases.push_back(
        {std::move(device), std::move(phase), timeUs, once, std::move(why)});
  };
  const std::string operations =
      fmt::format("{} operations{}", explanation.buckets.size() - explanation.sharedBuckets(),
                  explanation.sliced.empty() ? "" : ", many of them once per slice");
  add("cpu", "running", cpuUs, false, operations);
  add(name, "opening", speed.openUs, true, "driver, context, modules");
  add(name, "compiling",
      options.tableKernelsUs + kKernelCompileUs * static_cast<double>(gpu.compiled()), true,
      fmt::format("{} kernels; the others run on the table-driven ones{}", gpu.compiled(),
                  options.tableKernelsUs == 0
                      ? ""
                      : ", which this machine lacks (mpfc cache fill compiles them ahead)"));
  add(name, "uploading", uploadUs, true, "the inputs; they stay between runs");
  add(name, "running", gpu.runUs, false, operations);
}

} // namespace

AnswerConditions answerConditions(const CostOptions &options, const MemoryFacts &memory) {
  AnswerConditions conditions;
  conditions.devices = options.devices;
  if (memory.boundBytes && memory.peakBytes <= *memory.boundBytes)
    conditions.hostBytes = [&options] { return options.hostBytes; };
  conditions.hasGpu = options.hasGpu;
  return conditions;
}

void addCosts(const TableProgram &program, const CostOptions &options,
              QueryExplanation &explanation) {
  std::vector<BucketFacts> &buckets = explanation.buckets;
  double loads = 0, operations = 0;
  for (const BucketFacts &bucket : buckets) {
    loads += bucket.loads;
    operations += bucket.runs;
  }
  const bool onGpu = roughAnswer(explanation, loads, operations, options).usesGpu();
  explanation.askedDevice = options.devices.devicesWord();
  explanation.autoDevice = onGpu ? options.kernel.target.name : "cpu";
  GpuCosts gpu = addGpuTimes(program, options, buckets);
  addChains(program, options, gpu, explanation);
  for (BucketFacts &bucket : buckets) {
    bucket.cpuUs = roughCpuUs(bucket.loads, bucket.runs);
    bucket.costUs = onGpu ? bucket.gpuUs : bucket.cpuUs;
  }
  addPhases(roughCpuUs(loads, operations), gpu, options, explanation);
}

void addPlanningPhase(const SearchEffort &effort, size_t kernels, const CostOptions &options,
                      QueryExplanation &explanation) {
  const RunCosts &costs = options.search;
  SearchFacts &search = explanation.search;
  search.rounds = effort.rounds;
  search.steps = effort.steps;
  search.expectedRuns = costs.expectedRuns;
  search.expectedUs = effort.elsewhere ? effort.runUs : costs.runUs(effort.work);
  search.threads = threadCount(options.threads);
  search.end = searchEndText(effort.end);
  const uint64_t entries = explanation.network ? explanation.network->entries : 0;
  const double timeUs = costs.searchUs(static_cast<double>(effort.steps)) +
                        kPassesUs * static_cast<double>(explanation.buckets.size()) +
                        kSimplifyEntryUs * static_cast<double>(entries) +
                        kKernelPlanUs * static_cast<double>(kernels);
  explanation.phases.insert(
      explanation.phases.begin(),
      {"cpu", kPlanningPhase, timeUs, true,
       fmt::format("simplification, {} rounds of search in {} steps, passes{}; the search expected "
                   "{}{} and ended because {}",
                   search.rounds, formatCount(static_cast<double>(search.steps)),
                   kernels == 0 ? "" : fmt::format(", {} GPU kernels looked at", kernels),
                   search.expectedRuns == 1 ? "a run of "
                                            : fmt::format("{:.12g} runs of ", search.expectedRuns),
                   formatTime(search.expectedUs), search.end)});
}

} // namespace mpf
