#include "runtime/schedule/launches/level_time.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"

#include <algorithm>

namespace mpf {

namespace {

TableDrivenTerm termOf(const Bundle &bundle, const BundleOperation &operation) {
  bool packed = false;
  for (const BundleAccess &operand : operation.operands)
    packed = packed || bundle.buffer(operand.buffer).packed;
  return tableDrivenTerm(operation.semiring, bundle.type, packed);
}

double bytesOf(const Bundle &bundle, BufferId buffer) {
  return static_cast<double>(bundle.buffer(buffer).sizeElems * elementBytes(bundle.type));
}

double outputsOf(const LevelTask &task) {
  return static_cast<double>(task.outputs.end - task.outputs.first);
}

double addressesOf(const LevelTask &task) {
  return outputsOf(task) * static_cast<double>(task.terms.end - task.terms.first);
}

/// Whether a task is the fallback of a specialised kernel: it usually has nothing to do.
bool isFallback(const Bundle &bundle, const LevelTask &task) {
  return bundle.operations[task.operation].kernel.has_value();
}

void addStep(const Bundle &bundle, const LevelStep &step, BlockWork &work) {
  double slowest = 0;
  for (const LevelTask &task : step.tasks)
    if (!isFallback(bundle, task))
      slowest = std::max(slowest, stretchUs(bundle, task, step.wholeBlock));
  work.stretchUs += slowest;
  ++work.steps;
}

void addBlock(const BlockWork &block, PhaseWork &phase) {
  if (block.steps == 0)
    return;
  const bool repeats = !phase.blocks.empty() && phase.blocks.back().steps == block.steps &&
                       phase.blocks.back().stretchUs == block.stretchUs;
  if (repeats)
    phase.blocks.back().count += block.count;
  else
    phase.blocks.push_back(block);
}

/// Adds the share of a task in the lines and bytes of its operation.
void addMemory(const Bundle &bundle, const LevelTask &task, PhaseWork &phase) {
  const BundleOperation &operation = bundle.operations[task.operation];
  const double addresses = addressesOf(task);
  phase.lines +=
      addresses / 32 * linesOfWarp(operation, static_cast<double>(elementBytes(bundle.type)));
  double bytes = bytesOf(bundle, operation.result.buffer);
  for (const BundleAccess &operand : operation.operands)
    bytes += bytesOf(bundle, operand.buffer);
  phase.bytes += bytes * addresses / static_cast<double>(operation.addresses());
}

} // namespace

double stretchUs(const Bundle &bundle, const LevelTask &task, bool wholeBlock) {
  const BundleOperation &operation = bundle.operations[task.operation];
  const double threads = wholeBlock ? kTableDrivenThreads : kTableDrivenThreads / kLevelWarps;
  return termOf(bundle, operation)
      .stretchUs(outputsOf(task) / threads, addressesOf(task) / threads, operation.operands.size());
}

std::vector<PhaseWork> workOf(const Bundle &bundle, const LevelMapping &mapping) {
  std::vector<PhaseWork> phases(phasesOf(mapping));
  for (const LevelBlock &block : mapping.blocks) {
    uint32_t phase = 0;
    BlockWork work{0, 0, 1};
    for (const LevelStep &step : block) {
      if (step.phase != phase)
        addBlock(std::exchange(work, {0, 0, 1}), phases[std::exchange(phase, step.phase)]);
      addStep(bundle, step, work);
      for (const LevelTask &task : step.tasks)
        if (!isFallback(bundle, task))
          addMemory(bundle, task, phases[phase]);
    }
    addBlock(work, phases[phase]);
  }
  return phases;
}

double phaseUs(const PhaseWork &phase, const LevelSpeed &speed) {
  double slowestUs = 0, sumUs = 0;
  for (const BlockWork &block : phase.blocks) {
    const double blockUs = speed.stepUs * block.steps + speed.termFactor * block.stretchUs;
    slowestUs = std::max(slowestUs, blockUs);
    sumUs += blockUs * block.count;
  }
  const double resident = speed.residentBlocks * speed.multiprocessors;
  return std::max({slowestUs, sumUs / resident, phase.lines / speed.linesPerUs,
                   phase.bytes / speed.bytesPerUs});
}

double levelUs(std::span<const PhaseWork> phases, const LevelSpeed &speed) {
  double timeUs = speed.launchUs - speed.waitUs; // the first phase waits for no other
  for (const PhaseWork &phase : phases)
    timeUs += speed.waitUs + phaseUs(phase, speed);
  return timeUs;
}

} // namespace mpf
