#include "runtime/schedule/launches/verify_mapping.h"

#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/arena_order.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/operation_levels.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>
#include <tuple>

namespace mpf {

namespace {

/// The place of an operation in a mapping vector.
struct Place {
  size_t block = 0;
  size_t barriers = 0; ///< number of barriers of the block before it
  bool isWhole = true; ///< whether the block computes all of it
  uint32_t phase = 0;
};

std::string findTaskFault(const LevelStep &step, const LevelTask &task, const Bundle &bundle) {
  const BundleOperation &operation = bundle.operations[task.operation];
  const AddressRange outputs{0, operation.keptAddresses()}, terms{0, operation.reducedAddresses()};
  if (task.outputs.first >= task.outputs.end || task.outputs.end > outputs.end ||
      task.terms.first >= task.terms.end || task.terms.end > terms.end)
    return fmt::format("a task has outputs {}..{} and terms {}..{} of operation {}",
                       task.outputs.first, task.outputs.end, task.terms.first, task.terms.end,
                       task.operation);
  if (task.outputs != outputs && task.terms != terms)
    return fmt::format("operation {} is split by outputs and by terms", task.operation);
  if (!step.wholeBlock && (task.outputs != outputs || task.terms != terms))
    return fmt::format("a warp does a part of operation {}", task.operation);
  return "";
}

/// Returns the fault that tasks of one operation overlap or leave gaps; empty if there is none.
std::string findCoverFault(std::vector<LevelTask> tasks, const BundleOperation &operation) {
  const auto key = [](const LevelTask &task) {
    return std::tuple(task.outputs.first, task.terms.first);
  };
  std::sort(tasks.begin(), tasks.end(),
            [&](const LevelTask &a, const LevelTask &b) { return key(a) < key(b); });
  const uint64_t outputs = operation.keptAddresses(), terms = operation.reducedAddresses();
  uint64_t nextOutput = 0, nextTerm = 0;
  for (const LevelTask &task : tasks) {
    if (task.outputs.first != nextOutput || task.terms.first != nextTerm)
      return fmt::format("no task, or more than one, has output {}, term {} of operation {}",
                         nextOutput, nextTerm, tasks[0].operation);
    nextTerm = task.terms.end == terms ? 0 : task.terms.end;
    nextOutput = nextTerm == 0 ? task.outputs.end : nextOutput;
  }
  if (nextOutput != outputs)
    return fmt::format("operation {} has tasks for {} of {} outputs", tasks[0].operation,
                       nextOutput, outputs);
  return "";
}

std::map<uint32_t, Place> placesOf(const LevelMapping &mapping) {
  std::map<uint32_t, Place> places;
  for (size_t block = 0; block < mapping.blocks.size(); ++block) {
    size_t barriers = 0;
    for (const LevelStep &step : mapping.blocks[block]) {
      barriers += step.barrier;
      for (const LevelTask &task : step.tasks) {
        const auto [at, isNew] =
            places.try_emplace(task.operation, Place{block, barriers, true, step.phase});
        at->second.isWhole = isNew;
      }
    }
  }
  return places;
}

/// Returns the fault of phases for which blocks would wait forever; empty if there is none.
std::string findPhaseFault(const LevelMapping &mapping, uint64_t residentBlocks) {
  std::set<uint32_t> phases;
  for (const LevelBlock &block : mapping.blocks)
    for (size_t i = 0; i < block.size(); ++i) {
      if (i > 0 && block[i].phase < block[i - 1].phase)
        return fmt::format("a block goes back from phase {} to {}", block[i - 1].phase,
                           block[i].phase);
      phases.insert(block[i].phase);
    }
  if (*phases.rbegin() != phases.size() - 1)
    return fmt::format("a launch of {} phases has phase {}", phases.size(), *phases.rbegin());
  if (phases.size() > 1 && mapping.blocks.size() > residentBlocks)
    return fmt::format("{} blocks wait for each other, and {} are resident", mapping.blocks.size(),
                       residentBlocks);
  return "";
}

} // namespace

std::string findFault(const LevelMapping &mapping, const Bundle &bundle, uint64_t residentBlocks) {
  std::map<uint32_t, std::vector<LevelTask>> tasks; // by operation
  std::map<uint32_t, uint32_t> phases;              // the same
  if (mapping.blocks.empty())
    return "a mapping vector without blocks";
  for (const LevelBlock &block : mapping.blocks) {
    if (block.empty())
      return "a block without steps";
    for (const LevelStep &step : block) {
      if (step.tasks.empty() || step.tasks.size() > (step.wholeBlock ? 1 : kLevelWarps))
        return fmt::format("a step of {} has {} tasks", step.wholeBlock ? "a block" : "warps",
                           step.tasks.size());
      for (const LevelTask &task : step.tasks) {
        if (task.operation >= bundle.operations.size())
          return fmt::format("a task of operation {}; there are {}", task.operation,
                             bundle.operations.size());
        if (std::string fault = findTaskFault(step, task, bundle); !fault.empty())
          return fault;
        tasks[task.operation].push_back(task);
        if (phases.try_emplace(task.operation, step.phase).first->second != step.phase)
          return fmt::format("operation {} has tasks in two phases", task.operation);
      }
    }
  }
  for (auto &[operation, parts] : tasks)
    if (std::string fault = findCoverFault(std::move(parts), bundle.operations[operation]);
        !fault.empty())
      return fault;
  return findPhaseFault(mapping, residentBlocks);
}

std::string findOrderFault(const LaunchPlan &plan, const Bundle &bundle,
                           const std::vector<char> &runs,
                           const std::vector<std::optional<LaunchSpan>> &spans) {
  std::vector<size_t> stretchOf(bundle.operations.size(), 0);
  const std::vector<Stretch> stretches = stretchesOf(bundle, runs);
  for (size_t s = 0; s < stretches.size(); ++s)
    for (const uint32_t i : stretches[s].operations)
      stretchOf[i] = s;
  std::vector<std::map<uint32_t, Place>> places;
  for (const LevelMapping &mapping : plan.mappings)
    places.push_back(placesOf(mapping));
  size_t now = 0; // stretch
  for (size_t l = 0; l < plan.launches.size(); ++l)
    for (const uint32_t i : operationsOf(plan, plan.launches[l])) {
      if (stretchOf[i] != now && i != operationsOf(plan, plan.launches[l]).front())
        return fmt::format("launch {} has operations of two stretches", l);
      if (stretchOf[i] < now)
        return fmt::format("launch {} is of operation {}, whose stretch has ended", l, i);
      now = stretchOf[i];
    }
  const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle, runs);
  for (uint32_t late = 0; late < order.size(); ++late)
    for (const uint32_t early : order[late]) {
      if (!spans[early] || !spans[late])
        continue; // a sum over slices, which the executor adds up between stretches
      const LaunchSpan &before = *spans[early], &after = *spans[late];
      const bool oneChain = before.chain == after.chain; // or none
      const size_t start = oneChain ? after.first : after.chain.value_or(after.first);
      if (before.last < start)
        continue;
      const Launch &launch = plan.launches[after.first];
      const bool meets = before.last == after.first; // in this launch
      if (meets && before.first == after.first && launch.kind == LaunchKind::Chain)
        continue;
      if (meets && launch.kind == LaunchKind::Level) {
        const Place &a = places[launch.mapping].at(early), &b = places[launch.mapping].at(late);
        if (a.phase < b.phase)
          continue;
        if (a.isWhole && b.isWhole && a.block == b.block && a.barriers < b.barriers)
          continue;
      }
      return fmt::format("launch {}: operation {} must come behind {}", after.first, late, early);
    }
  return "";
}

} // namespace mpf
