// The transfers of GpuProgram: uploads before a run, its resets, and its downloads.
#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/host/integer_tables.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "runtime/schedule/transfers/verify_transfer_plan.h"

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
  arena_ = bundle_.packs() ? &packed_ : &arena;
  if (hasInputs_)
    arena_->lock();
  unsent_.resize(bundle_.buffers.size(), 0);
  for (const BundleInput &input : bundle_.inputs)
    if (again.empty() || again[input.buffer.index()]) {
      unsent_[input.buffer.index()] = 1;
      hasUnsent_ = true;
    }
  // Further replicas have only results, with neutral states.
  std::vector<TableState> initial = states;
  initial.resize(bundle_.buffers.size());
  if (initial != initialStates_) {
    stage_.put(initialRun_, initial.data(), stateBytes_, 0);
    initialStates_ = std::move(initial);
    ++statesNumber_;
  }
  hasInputs_ = true;
}

void GpuProgram::sendInputs() {
  if (!hasUnsent_)
    return;
  groupOf_.assign(bundle_.buffers.size(), kNoGroup);
  send(kNoGroup);
  hasUnsent_ = false;
}

/// Divides the inputs into the plan's groups. Returns false if their uploads are too small to pay.
bool GpuProgram::chooseUploads(const TransferPlan &transfers) {
  if (!hasUnsent_ || transfers.uploads.empty() || waitsRefused_)
    return false;
  groupOf_.assign(bundle_.buffers.size(), kNoGroup);
  uint64_t bytes = 0;
  for (uint32_t g = 0; g < transfers.uploads.size(); ++g)
    for (const uint32_t buffer : transfers.uploads[g].buffers) {
      groupOf_[buffer] = g;
      bytes += unsent_[buffer] != 0 ? buffers_.rangeOf(BufferId(size_t{buffer})).sizeBytes : 0;
    }
  return static_cast<double>(bytes) / copies_.bytesPerUs >
         copies_.groupUs * static_cast<double>(transfers.uploads.size());
}

/// Returns the ranges of unsent inputs of a group. They contain no bytes of inputs of other groups,
/// which launches may be reading.
std::vector<CopyRange> GpuProgram::unsentRanges(uint32_t group) const {
  std::vector<CopyRange> ranges;
  bool goesOn = false; // the next one may be copied with the last range
  for (const uint32_t buffer : inputsByPlace_) {
    if (groupOf_[buffer] != group) {
      goesOn = false;
      continue;
    }
    if (unsent_[buffer] == 0)
      continue;
    const CopyRange range = buffers_.rangeOf(BufferId(size_t{buffer}));
    if (goesOn && range.firstBytes <= ranges.back().endBytes() + kCopyGapBytes)
      ranges.back().sizeBytes = range.endBytes() - ranges.back().firstBytes;
    else if (range.sizeBytes != 0)
      ranges.push_back(range);
    goesOn = !ranges.empty();
  }
  return ranges;
}

/// Uploads the inputs of a group beside the launches. Earlier runs do not read them any longer,
/// because finish() has waited.
void GpuProgram::send(uint32_t group) {
  for (const CopyRange &range : unsentRanges(group)) {
    const std::byte *const from = arena_->data() + range.firstBytes;
    if (group == kNoGroup)
      inputs_.upload(from, range.sizeBytes, range.firstBytes);
    else
      beside_->upload(inputs_, from, range.sizeBytes, range.firstBytes);
  }
  for (const uint32_t buffer : inputsByPlace_)
    if (groupOf_[buffer] == group)
      unsent_[buffer] = 0;
  if (group != kNoGroup)
    sent_[group]->set(beside_->handle());
}

/// Makes a launch wait for the inputs of its group.
void GpuProgram::awaitInputs(size_t launch, bool isRecorded) {
  if (!waitsForInputs_)
    return;
  const std::vector<UploadGroup> &groups = plans_.inUse().transfers.uploads;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    if (groups[g].before != launch)
      continue;
    // Copies from unlocked memory block the host, but the device has launches meanwhile.
    if (!isRecorded)
      send(g);
    sent_[g]->await(device_.stream(), isRecorded);
    isBehindStep_ = true; // its kernel may not fetch anything before
  }
}

/// Returns the ranges of the buffers' states. They join to few ranges, because results are numbered
/// in execution order, behind the inputs.
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

/// Chooses the resets of the plan's runs, and the places of their results in the host's memory.
void GpuProgram::chooseTransfers(GpuPlan &plan, const GpuPlans::Kind &kind) {
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
  if (plan.wanted != wanted_ || plan.transfersOf != plan.number) {
    plan.wanted = wanted_;
    planTransfers(plan, kind);
    plan.forgetGraph();
  }
  if (const uint64_t bytes = downBegin() + plan.downBytes(); down_.sizeBytes() < bytes) {
    plans_.forgetGraphs();
    down_ = HostImage(); // frees the old memory first
    down_ = HostImage(device_, bytes);
  }
}

void GpuProgram::planTransfers(GpuPlan &plan, const GpuPlans::Kind &kind) {
  plan.transfers = {};
  plan.transfersOf = plan.number;
  const bool isWhole = kind.grouped && kind.bringsDown && kind.allReplicas;
  if (isWhole && copiesOverlap(device_))
    plan.transfers =
        buildTransferPlan(bundle_, plan.launches, {plan.wanted, joins_.speed, copies_});
  const std::string fault = findFault(plan.transfers, plan.launches, bundle_, plan.wanted);
  MPF_CHECK(fault.empty(), "{}: {}", bundle_.name, fault);
  if (!beside_ && plan.transfers != TransferPlan())
    beside_.emplace(device_);
  while (sent_.size() < plan.transfers.uploads.size())
    sent_.push_back(std::make_unique<StreamMark>(device_));

  plan.downloads.clear();
  uint64_t atBytes = 0;
  const auto add = [&](const std::vector<uint32_t> &buffers) {
    std::vector<CopyRange> ranges;
    for (const uint32_t buffer : buffers)
      ranges.push_back(buffers_.rangeOf(BufferId(size_t{buffer})));
    plan.downloads.push_back({ArenaImage(joinRanges(std::move(ranges))), atBytes});
    atBytes = roundUp(plan.downBytes(), tableAlignBytes(plan.downBytes()));
  };
  std::vector<uint32_t> others = plan.wanted;
  for (const DownloadGroup &group : plan.transfers.downloads) {
    add(group.buffers);
    std::erase_if(
        others, [&](uint32_t buffer) { return std::ranges::binary_search(group.buffers, buffer); });
  }
  add(others);
}

uint64_t GpuProgram::downBegin() const {
  const uint64_t bytes = stateBytes_ + (sliceKernels_ ? sliceKernels_->outcomeBytes() : 0);
  return roundUp(bytes, tableAlignBytes(bytes));
}

/// Starts a download on the device's stream, or on `beside`.
void GpuProgram::startDownload(const GpuPlan::DownImage &down, const CudaStream *beside) const {
  for (const ArenaImage::Part &part : down.image.parts()) {
    std::byte *const to = down_.data() + downBegin() + down.atBytes + part.atBytes;
    if (beside != nullptr)
      beside->download(to, work_, part.range.sizeBytes, part.range.firstBytes);
    else
      work_.download(to, part.range.sizeBytes, part.range.firstBytes);
  }
}

/// Starts to download results that are final after the launch, while other launches follow.
void GpuProgram::startGroupBehind(size_t launch) {
  if (!bringsDown_ || !down_.isLocked())
    return;
  const GpuPlan &plan = plans_.inUse();
  for (size_t g = 0; g < plan.transfers.downloads.size(); ++g)
    if (plan.transfers.downloads[g].behind == launch) {
      beside_->waitForDevice();
      startDownload(plan.downloads[g], &*beside_);
    }
}

/// Starts the downloads after the last launch. `withGroups`: those of groups have not been started.
void GpuProgram::startDownloads(bool withGroups) {
  run_.download(down_.data(), stateBytes_);
  if (sliceKernels_)
    sliceKernels_->downloadOutcome(down_.data() + stateBytes_);
  const GpuPlan &plan = plans_.inUse();
  const size_t groups = plan.transfers.downloads.size();
  for (size_t g = withGroups ? 0 : groups; g < plan.downloads.size(); ++g)
    startDownload(plan.downloads[g], nullptr);
  if (!withGroups && groups != 0)
    beside_->holdDevice();
  comesDown_ = true;
}

std::vector<TableState> GpuProgram::bringDown() {
  if (!comesDown_)
    startDownloads(true);
  synchronize();
  std::vector<TableState> states(bundle_.buffers.size());
  std::memcpy(states.data(), down_.data(), stateBytes_);
  if (sliceKernels_)
    outcome_ = sliceKernels_->outcomeOf(down_.data() + stateBytes_);
  deviceStates_ = states;
  areStatesKnown_ = true;
  isStarted_ = false;
  noteLostReplicas(states);
  return states;
}

/// Notes lost counts of the last pass: callers see only the states of replicas without shifts.
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
  const GpuPlan::DownImage &down = plan.imageOf(buffer.value);
  return down_.data() + downBegin() + down.atBytes +
         down.image.placeOf(buffers_.rangeOf(buffer).firstBytes);
}

void GpuProgram::synchronize() {
  device_.synchronize();
  stage_.clear();
  given_.clear();
}

void GpuProgram::drain() const noexcept {
  if (beside_)
    beside_->drain();
  device_.drain();
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

void GpuProgram::startWrite(BufferId buffer, std::span<const std::byte> bytes,
                            const TableState &state) {
  const BundleBuffer &place = bundle_.buffer(buffer);
  work_.upload(bytes.data(), bytes.size(), place.offsetBytes);
  run_.upload(&state, sizeof(TableState), buffer.index() * sizeof(TableState));
}

} // namespace mpf
