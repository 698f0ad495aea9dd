#include "tools/mpfc/explain/facts/compiled_facts.h"

#include "runtime/execute/compiled/choose_compiled.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <map>

namespace mpf {

void addCompiledKernels(const Bundle &bundle, double expectedRuns, QueryExplanation &explanation) {
  constexpr size_t kNamesShown = 6;
  std::map<std::string, size_t> bucketOf; // bundles also have operations that add up slices
  for (size_t i = 0; i < explanation.buckets.size(); ++i)
    bucketOf.emplace(explanation.buckets[i].name, i);
  const std::vector<CompiledChoice> choices = chooseCompiled(bundle, expectedRuns);
  std::vector<std::string> names;
  double savedUs = 0, compileUs = 0;
  for (const CompiledChoice &choice : choices) {
    savedUs += choice.savedUs;
    compileUs += choice.compileUs;
    for (const size_t operation : choice.operations) {
      names.push_back(bundle.operations[operation].name);
      if (const auto at = bucketOf.find(names.back()); at != bucketOf.end())
        explanation.buckets[at->second].cpuCompiled = true;
    }
  }
  const std::string runs = fmt::format("{:.12g} run{}", expectedRuns, expectedRuns == 1 ? "" : "s");
  const std::string why =
      names.empty() ? fmt::format("no kernel pays over {}", runs)
                    : fmt::format("{} kernel{} for {}, saving {} of each of {}", choices.size(),
                                  choices.size() == 1 ? "" : "s", joinNames(names, kNamesShown),
                                  formatTime(savedUs), runs);
  if (PhaseTime *running = runningPhase(explanation, "cpu"))
    running->why += names.empty() ? ", no compiler needed"
                                  : fmt::format(", {} of them on compiled kernels", names.size());
  explanation.phases.insert(explanation.phases.begin(), {"cpu", "compiling", compileUs, true, why});
}

} // namespace mpf
