// The transfers of GpuProgram: what goes up before a run, what it begins with, what comes down.
#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/host/integer_tables.h"

#include <algorithm>
#include <cstring>

namespace mpf {

void GpuProgram::setInputs(HostImage &arena, const std::vector<TableState> &states,
                           const std::vector<char> &changed) {
  MPF_CHECK(states.size() <= bundle_.buffers.size(), "{} states for {} buffers", states.size(),
            bundle_.buffers.size());
  const std::span<const char> again = hasInputs_ ? std::span(changed) : std::span<const char>();
  if (bundle_.packs()) {
    if (!hasInputs_)
      packed_ = HostImage(device_, buffers_.inputBytes());
    buffers_.pack({arena.data(), arena.sizeBytes()}, states, again,
                  {packed_.data(), packed_.sizeBytes()});
  }
  HostImage &image = bundle_.packs() ? packed_ : arena;
  if (hasInputs_)
    image.lock();
  std::vector<CopyRange> ranges;
  for (const BundleInput &input : bundle_.inputs)
    if (again.empty() || again[input.buffer.index()])
      ranges.push_back(buffers_.rangeOf(input.buffer));
  for (const CopyRange &range : joinRanges(std::move(ranges)))
    inputs_.upload(image.data() + range.firstBytes, range.sizeBytes, range.firstBytes);
  // Further replicas have results alone: neutral.
  std::vector<TableState> initial = states;
  initial.resize(bundle_.buffers.size());
  if (initial != initialStates_) {
    stage_.put(initialRun_, initial.data(), stateBytes_, 0);
    initialStates_ = std::move(initial);
  }
  hasInputs_ = true;
}

/// Results are numbered in execution order, inputs before them, so these are few ranges.
std::vector<CopyRange> GpuProgram::rangesOf(const std::vector<size_t> &buffers) const {
  std::vector<CopyRange> ranges;
  for (const size_t buffer : buffers)
    ranges.push_back({buffer * sizeof(TableState), sizeof(TableState)});
  return ranges;
}

void GpuProgram::resetRun(const std::vector<CopyRange> &ranges) {
  for (const CopyRange &range : ranges)
    run_.copyFrom(initialRun_, range.sizeBytes, range.firstBytes, range.firstBytes);
}

void GpuProgram::resetStates(const std::vector<size_t> &buffers) {
  resetRun(joinRanges(rangesOf(buffers), 0));
}

void GpuProgram::resetPlanned() {
  resetRun(plans_.inUse().resets);
  if (sliceKernels_)
    sliceKernels_->begin();
}

/// What the plan's runs begin with, and where in the host's memory their results go.
void GpuProgram::chooseTransfers(GpuPlan &plan) {
  if (plan.resets.empty()) {
    std::vector<size_t> buffers;
    for (const BundleInput &input : bundle_.inputs)
      buffers.push_back(input.buffer.index());
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
      if (plans_.runs()[i])
        buffers.push_back(bundle_.operations[i].result.buffer.index());
    std::vector<CopyRange> ranges = rangesOf(buffers);
    ranges.push_back({stateBytes_, run_.sizeBytes() - stateBytes_});
    plan.resets = joinRanges(std::move(ranges), 0);
  }
  if (plan.wanted != wanted_) {
    std::vector<CopyRange> ranges;
    for (const uint32_t buffer : wanted_)
      ranges.push_back(buffers_.rangeOf(BufferId(size_t{buffer})));
    plan.downloads = ArenaImage(joinRanges(std::move(ranges)));
    plan.wanted = wanted_;
    plan.forgetGraph();
  }
  if (const uint64_t bytes = downBegin() + plan.downloads.sizeBytes(); down_.sizeBytes() < bytes) {
    plans_.forgetGraphs();
    down_ = HostImage(); // first, for the memory
    down_ = HostImage(device_, bytes);
  }
}

uint64_t GpuProgram::downBegin() const {
  const uint64_t bytes = stateBytes_ + (sliceKernels_ ? sliceKernels_->outcomeBytes() : 0);
  return roundUp(bytes, tableAlignBytes(bytes));
}

void GpuProgram::startDownloads() {
  run_.download(down_.data(), stateBytes_);
  if (sliceKernels_)
    sliceKernels_->downloadOutcome(down_.data() + stateBytes_);
  for (const ArenaImage::Part &part : plans_.inUse().downloads.parts())
    work_.download(down_.data() + downBegin() + part.atBytes, part.range.sizeBytes,
                   part.range.firstBytes);
  comesDown_ = true;
}

std::vector<TableState> GpuProgram::bringDown() {
  if (!comesDown_)
    startDownloads();
  synchronize();
  std::vector<TableState> states(bundle_.buffers.size());
  std::memcpy(states.data(), down_.data(), stateBytes_);
  if (sliceKernels_)
    outcome_ = sliceKernels_->outcomeOf(down_.data() + stateBytes_);
  noteLostReplicas(states);
  return states;
}

/// Of the last slices, which callers know the states of the last one of alone.
void GpuProgram::noteLostReplicas(const std::vector<TableState> &states) {
  if (!isIntegerType(bundle_.type))
    return;
  for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
    if (replicas_.isShifted(i) &&
        isLostCount(states[bundle_.operations[i].result.buffer.index()], bundle_.type))
      outcome_.faults.lost =
          std::min(outcome_.faults.lost, static_cast<int32_t>(replicas_.original[i]));
}

const std::byte *GpuProgram::downloaded(BufferId buffer) const {
  const GpuPlan &plan = plans_.inUse();
  if (!std::binary_search(plan.wanted.begin(), plan.wanted.end(), buffer.value))
    return nullptr;
  return down_.data() + downBegin() + plan.downloads.placeOf(buffers_.rangeOf(buffer).firstBytes);
}

void GpuProgram::synchronize() {
  device_.synchronize();
  stage_.clear();
}

std::vector<TableState> GpuProgram::readStates() const {
  std::vector<TableState> states(bundle_.buffers.size());
  run_.download(states.data(), stateBytes_);
  device_.synchronize();
  return states;
}

std::vector<std::byte> GpuProgram::readBuffer(BufferId buffer, const TableState &state) const {
  std::vector<std::byte> bytes = startRead(buffer, state);
  device_.synchronize();
  return bytes;
}

std::vector<std::byte> GpuProgram::startRead(BufferId buffer, const TableState &state) const {
  const BundleBuffer &place = bundle_.buffer(buffer);
  MPF_CHECK(!place.packed, "packed input {} is read from the device", place.name);
  std::vector<std::byte> bytes(bufferBytes(place.sizeElems, bundle_.type, bundle_.signedValues));
  const bool hasSigns = state.form != 0 && bundle_.signedValues;
  const uint64_t written = bufferBytes(place.sizeElems, bundle_.type, hasSigns);
  (place.input ? inputs_ : work_).download(bytes.data(), written, buffers_.offsetBytes(buffer));
  return bytes;
}

void GpuProgram::writeTable(BufferId buffer, const TableView &table) {
  const BundleBuffer &place = bundle_.buffer(buffer);
  const uint64_t bytes = place.sizeElems * elementBytes(bundle_.type);
  stage_.put(work_, table.entries, bytes, place.offsetBytes);
  if (table.signs != nullptr)
    stage_.put(work_, table.signs, place.sizeElems, place.offsetBytes + bytes);
  stage_.put(run_, &table.state, sizeof(TableState), buffer.index() * sizeof(TableState));
}

void GpuProgram::startWrite(BufferId buffer, std::span<const std::byte> bytes,
                            const TableState &state) {
  const BundleBuffer &place = bundle_.buffer(buffer);
  work_.upload(bytes.data(), bytes.size(), place.offsetBytes);
  run_.upload(&state, sizeof(TableState), buffer.index() * sizeof(TableState));
}

} // namespace mpf
