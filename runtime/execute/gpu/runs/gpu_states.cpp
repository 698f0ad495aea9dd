#include "runtime/execute/gpu/runs/gpu_states.h"

#include "dsl/support/check.h"

namespace mpf {

namespace {
constexpr uint64_t kStateStageBytes = uint64_t{1} << 20;
} // namespace

GpuStates::GpuStates(const CudaDevice &device, const Bundle &bundle)
    : device_(device), bytes_(bundle.buffers.size() * sizeof(TableState)),
      counterBytes_(2 * bundle.operations.size() * sizeof(uint32_t)),
      now_(device, bytes_ + counterBytes_), atBegin_(device, bytes_ + counterBytes_),
      known_(bundle.buffers.size(), TableState{0, 0, 0, 0}), stage_(device, kStateStageBytes) {
  now_.fill(0); // the states of results of another device are read too
  atBegin_.fill(0);
}

void GpuStates::setInitial(const std::vector<TableState> &states) {
  MPF_CHECK(states.size() <= known_.size(), "{} states for {} buffers", states.size(),
            known_.size());
  std::vector<TableState> initial = states;
  initial.resize(known_.size());
  if (initial == initial_)
    return;
  stage_.put(atBegin_, initial.data(), bytes_, 0);
  initial_ = std::move(initial);
  ++initialNumber_;
}

std::vector<CopyRange> GpuStates::rangesOf(std::span<const size_t> buffers) {
  std::vector<CopyRange> ranges;
  for (const size_t buffer : buffers)
    ranges.push_back({buffer * sizeof(TableState), sizeof(TableState)});
  return ranges;
}

std::vector<CopyRange> GpuStates::resetsOf(std::span<const size_t> buffers) const {
  std::vector<CopyRange> ranges = rangesOf(buffers);
  ranges.push_back({bytes_, counterBytes_});
  return joinRanges(std::move(ranges), 0);
}

void GpuStates::reset(std::span<const CopyRange> ranges) const {
  for (const CopyRange &range : ranges)
    now_.copyFrom(atBegin_, range.sizeBytes, range.firstBytes, range.firstBytes);
}

void GpuStates::resetTables(std::span<const size_t> buffers) const {
  reset(joinRanges(rangesOf(buffers), 0));
}

void GpuStates::resetCounters() const { now_.fill(0, counterBytes_, bytes_); }

void GpuStates::sendGiven() {
  std::vector<size_t> buffers;
  for (const auto &[buffer, state] : given_) {
    known_[buffer.index()] = state;
    buffers.push_back(buffer.index());
  }
  const auto *const states = reinterpret_cast<const std::byte *>(known_.data());
  for (const CopyRange &range : joinRanges(rangesOf(buffers), areKnown_ ? bytes_ : 0))
    stage_.put(now_, states + range.firstBytes, range.sizeBytes, range.firstBytes);
  given_.clear();
  areKnown_ = false;
}

void GpuStates::startWrite(BufferId buffer, const TableState &state) const {
  now_.upload(&state, sizeof(TableState), buffer.index() * sizeof(TableState));
}

void GpuStates::note(const std::vector<TableState> &states) {
  MPF_CHECK(states.size() == known_.size(), "{} states for {} buffers", states.size(),
            known_.size());
  known_ = states;
  areKnown_ = true;
}

std::vector<TableState> GpuStates::read() const {
  std::vector<TableState> states(known_.size());
  startDownload(static_cast<void *>(states.data()));
  device_.synchronize();
  return states;
}

} // namespace mpf
