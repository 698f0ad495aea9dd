#include "runtime/execute/gpu/runs/input_uploads.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <span>

namespace mpf {

namespace {

std::vector<uint32_t> inputsByPlace(const Bundle &bundle, const DeviceBuffers &buffers) {
  std::vector<uint32_t> inputs;
  for (const BundleInput &input : bundle.inputs)
    inputs.push_back(input.buffer.value);
  std::ranges::sort(inputs, {}, [&](uint32_t buffer) {
    return buffers.rangeOf(BufferId(size_t{buffer})).firstBytes;
  });
  return inputs;
}

} // namespace

InputUploads::InputUploads(const CudaDevice &device, const Bundle &bundle, const GpuArenas &arenas,
                           BesideStream &beside, const CopySpeed &copies)
    : device_(device), bundle_(bundle), arenas_(arenas), beside_(beside), copies_(copies),
      byPlace_(inputsByPlace(bundle, arenas.buffers())), unsent_(bundle.buffers.size(), 0),
      groupOf_(bundle.buffers.size(), kNoGroup) {}

void InputUploads::set(HostImage &arena, const std::vector<TableState> &states,
                       const std::vector<char> &changed) {
  const bool isFirst = arena_ == nullptr;
  const std::span<const char> again = isFirst ? std::span<const char>() : std::span(changed);
  HostImage *const image = bundle_.packs() ? &packed_ : &arena;
  if (bundle_.packs()) {
    if (isFirst)
      packed_ = HostImage(device_, arenas_.buffers().inputBytes());
    arenas_.buffers().pack({arena.data(), arena.sizeBytes()}, states, again,
                           {packed_.data(), packed_.sizeBytes()});
  }
  if (!isFirst)
    image->lock(); // these copies recur
  arena_ = image;
  for (const BundleInput &input : bundle_.inputs)
    if (again.empty() || again[input.buffer.index()]) {
      unsent_[input.buffer.index()] = 1;
      hasUnsent_ = true;
    }
}

void InputUploads::reserve(const TransferPlan &transfers) {
  if (transfers != TransferPlan())
    beside_.get();
  while (sent_.size() < transfers.uploads.size())
    sent_.push_back(std::make_unique<StreamMark>(device_));
}

void InputUploads::begin(const TransferPlan &transfers, bool mayWait) {
  waits_ = mayWait && chooseGroups(transfers);
  if (waits_)
    send(kNoGroup);
  else
    sendAll();
}

void InputUploads::sendAll() {
  if (!hasUnsent_)
    return;
  groupOf_.assign(bundle_.buffers.size(), kNoGroup);
  send(kNoGroup);
  hasUnsent_ = false;
}

/// Divides the inputs into the plan's groups. Returns false if their uploads are too small to pay.
bool InputUploads::chooseGroups(const TransferPlan &transfers) {
  if (!hasUnsent_ || transfers.uploads.empty() || areWaitsRefused_)
    return false;
  groupOf_.assign(bundle_.buffers.size(), kNoGroup);
  uint64_t bytes = 0;
  for (uint32_t g = 0; g < transfers.uploads.size(); ++g)
    for (const uint32_t buffer : transfers.uploads[g].buffers) {
      groupOf_[buffer] = g;
      bytes +=
          unsent_[buffer] != 0 ? arenas_.buffers().rangeOf(BufferId(size_t{buffer})).sizeBytes : 0;
    }
  return static_cast<double>(bytes) / copies_.bytesPerUs >
         copies_.groupUs * static_cast<double>(transfers.uploads.size());
}

/// Returns the ranges of unsent inputs of a group. They contain no bytes of inputs of other groups,
/// which launches may be reading.
std::vector<CopyRange> InputUploads::unsentRanges(uint32_t group) const {
  std::vector<CopyRange> ranges;
  bool goesOn = false; // the next one may be copied with the last range
  for (const uint32_t buffer : byPlace_) {
    if (groupOf_[buffer] != group) {
      goesOn = false;
      continue;
    }
    if (unsent_[buffer] == 0)
      continue;
    const CopyRange range = arenas_.buffers().rangeOf(BufferId(size_t{buffer}));
    if (goesOn && range.firstBytes <= ranges.back().endBytes() + kCopyGapBytes)
      ranges.back().sizeBytes = range.endBytes() - ranges.back().firstBytes;
    else if (range.sizeBytes != 0)
      ranges.push_back(range);
    goesOn = !ranges.empty();
  }
  return ranges;
}

/// Uploads the inputs of a group beside the launches. Earlier runs do not read them any longer,
/// because their results have been awaited.
void InputUploads::send(uint32_t group) {
  MPF_CHECK(group == kNoGroup || group < sent_.size(), "group {} of {}", group, sent_.size());
  for (const CopyRange &range : unsentRanges(group)) {
    const std::byte *const from = arena_->data() + range.firstBytes;
    if (group == kNoGroup)
      arenas_.inputs().upload(from, range.sizeBytes, range.firstBytes);
    else
      beside_.get().upload(arenas_.inputs(), from, range.sizeBytes, range.firstBytes);
  }
  for (const uint32_t buffer : byPlace_)
    if (groupOf_[buffer] == group)
      unsent_[buffer] = 0;
  if (group != kNoGroup)
    sent_[group]->set(beside_.get().handle());
}

void InputUploads::sendGroups(const TransferPlan &transfers) {
  for (uint32_t g = 0; g < transfers.uploads.size(); ++g)
    send(g);
}

bool InputUploads::await(const TransferPlan &transfers, size_t launch, bool isRecorded) {
  if (!waits_)
    return false;
  bool found = false;
  for (uint32_t g = 0; g < transfers.uploads.size(); ++g) {
    if (transfers.uploads[g].before != launch)
      continue;
    // Copies from unlocked memory block the host, but the device has launches meanwhile.
    if (!isRecorded)
      send(g);
    sent_[g]->await(device_.stream(), isRecorded);
    found = true;
  }
  return found;
}

} // namespace mpf
