#include "runtime/schedule/needed_operations.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

/// Returns one flag per buffer: whether it is in the work arena and shares no bytes with another.
std::vector<char> buffersAlone(const Bundle &bundle) {
  std::vector<uint32_t> byOffset;
  for (uint32_t i = 0; i < bundle.buffers.size(); ++i)
    if (!bundle.buffers[i].input)
      byOffset.push_back(i);
  std::stable_sort(byOffset.begin(), byOffset.end(), [&bundle](uint32_t a, uint32_t b) {
    return bundle.buffers[a].offsetBytes < bundle.buffers[b].offsetBytes;
  });
  std::vector<char> alone(bundle.buffers.size(), 0);
  uint64_t end = 0;
  uint32_t furthest = kNone; // the buffer that ends at `end`: it overlaps later ones before that
  for (const uint32_t i : byOffset) {
    const BundleBuffer &buffer = bundle.buffers[i];
    alone[i] = buffer.offsetBytes >= end;
    if (!alone[i])
      alone[furthest] = 0;
    const uint64_t ownEnd =
        buffer.offsetBytes + bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues);
    if (ownEnd > end) {
      end = ownEnd;
      furthest = i;
    }
  }
  return alone;
}

/// Marks the operations on which an output or the traceback depends. Dependences go through marked
/// operations only, and an operation is marked only if `counts` is true for it.
template <typename Counts>
void markReached(const Bundle &bundle, const std::vector<uint32_t> &writer,
                 std::vector<char> &marked, const Counts &counts) {
  const auto mark = [&](BufferId buffer) {
    if (const uint32_t at = writer[buffer.index()]; at != kNone && counts(at))
      marked[at] = 1;
  };
  for (const BundleOutput &output : bundle.outputs)
    mark(output.buffer);
  for (const BundleTraceback &step : bundle.traceback)
    for (const BundleTraceback::Table &table : step.tables)
      mark(table.buffer);
  for (size_t i = marked.size(); i-- > 0;)
    if (marked[i])
      for (const BundleAccess &operand : bundle.operations[i].operands)
        mark(operand.buffer);
}

} // namespace

NeededOperations::NeededOperations(const Bundle &bundle)
    : bundle_(bundle), writer_(bundle.buffers.size(), kNone), changed_(bundle.buffers.size(), 0),
      stale_(bundle.operations.size(), 1), isRead_(bundle.operations.size(), 0),
      needed_(bundle.operations.size(), 1) {
  const std::vector<char> alone = buffersAlone(bundle);
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    const BufferId result = operation.result.buffer;
    writer_[result.index()] = i;
    // The next run cannot use the results of a single slice.
    const bool once =
        operation.loop == 0 || (operation.accumulates && bundle.loops.parent(operation.loop) == 0);
    outlasts_.push_back(once && alone[result.index()]);
  }
  markReached(bundle, writer_, isRead_, [](uint32_t) { return true; });
  // Results inside a chain may never have been written. Only the next operation reads each, so a
  // run needs all of a chain or nothing of it.
  for (const BundleChain &chain : bundle.chains)
    std::fill_n(outlasts_.begin() + chain.first, chain.count - 1, 0);
}

void NeededOperations::inputChanged(BufferId input) { changed_[input.index()] = 1; }

void NeededOperations::forget() { std::fill(stale_.begin(), stale_.end(), 1); }

void NeededOperations::markNeeded() {
  bool any = false;
  for (size_t i = 0; i < stale_.size(); ++i) {
    for (const BundleAccess &operand : bundle_.operations[i].operands) {
      const uint32_t writer = writer_[operand.buffer.index()];
      stale_[i] |= writer == kNone ? changed_[operand.buffer.index()] : stale_[writer];
    }
    any |= stale_[i] && isRead_[i];
  }
  std::fill(needed_.begin(), needed_.end(), 0);
  if (!any)
    return; // outputs are valid: they live to the end of a run, and nothing ran since
  markReached(bundle_, writer_, needed_,
              [this](uint32_t writer) { return stale_[writer] || !outlasts_[writer]; });
}

std::span<const ScheduleStep> NeededOperations::choose(const Schedule &schedule) {
  markNeeded();
  steps_.clear();
  for (const ScheduleStep &step : schedule.steps) {
    if (step.kind == StepKind::Run && !needed_[step.index])
      continue;
    if (step.kind == StepKind::EndRepeat && steps_.back().kind == StepKind::Repeat &&
        steps_.back().index == step.index)
      steps_.pop_back(); // an empty loop
    else
      steps_.push_back(step);
  }
  count_ = static_cast<size_t>(std::count(needed_.begin(), needed_.end(), 1));
  return steps_;
}

void NeededOperations::ran() {
  for (size_t i = 0; i < needed_.size(); ++i)
    if (needed_[i])
      stale_[i] = 0;
  std::fill(changed_.begin(), changed_.end(), 0);
}

} // namespace mpf
