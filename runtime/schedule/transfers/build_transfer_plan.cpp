#include "runtime/schedule/transfers/build_transfer_plan.h"

#include "runtime/schedule/launches/launch_time.h"
#include "runtime/schedule/transfers/transfer_use.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// A buffer with the launch before or after which it is copied.
struct Copied {
  uint32_t launch = 0, buffer = 0;
  auto operator<=>(const Copied &) const = default;
};

/// Whether copies of all buffers take longer than a group costs. Otherwise no group can pay.
bool takesLong(const Bundle &bundle, const std::vector<uint32_t> &buffers, const CopySpeed &speed) {
  double bytes = 0;
  for (const uint32_t buffer : buffers)
    bytes += static_cast<double>(transferBytes(bundle, BufferId(size_t{buffer})));
  return bytes / speed.bytesPerUs > speed.groupUs;
}

/// Cuts `copied` into groups, each with the launch of its last buffer. `copied`: buffers in the
/// order in which they can be copied. `fromUs`: the time from which they can be copied, by launch.
std::vector<std::pair<uint32_t, std::vector<uint32_t>>>
groupsOf(const Bundle &bundle, const std::vector<Copied> &copied, const std::vector<double> &fromUs,
         double workUs, const CopySpeed &speed) {
  std::vector<CopyPoint> points; // one for each launch
  std::vector<size_t> ends;      // ends of the points in `copied`
  for (size_t i = 0; i < copied.size(); ++i) {
    if (i == 0 || copied[i - 1].launch != copied[i].launch) {
      points.push_back({fromUs[copied[i].launch], 0});
      ends.push_back(i);
    }
    points.back().bytes +=
        static_cast<double>(transferBytes(bundle, BufferId(size_t{copied[i].buffer})));
    ++ends.back();
  }
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> groups;
  size_t first = 0;
  for (const size_t cut : hideCopies(points, workUs, speed)) {
    const size_t end = ends[cut - 1];
    auto &[launch, buffers] = groups.emplace_back(copied[end - 1].launch, std::vector<uint32_t>());
    for (; first < end; ++first)
      buffers.push_back(copied[first].buffer);
    std::ranges::sort(buffers);
  }
  return groups;
}

} // namespace

uint64_t transferBytes(const Bundle &bundle, BufferId buffer) {
  const BundleBuffer &place = bundle.buffer(buffer);
  return place.packed ? (place.sizeElems + 7) / 8
                      : bufferBytes(place.sizeElems, bundle.type, bundle.signedValues);
}

TransferPlan buildTransferPlan(const Bundle &bundle, const LaunchPlan &plan,
                               const TransferOptions &options) {
  TransferPlan transfers;
  std::vector<uint32_t> inputs;
  for (const BundleInput &input : bundle.inputs)
    inputs.push_back(input.buffer.value);
  const bool up = takesLong(bundle, inputs, options.copies);
  const bool down = takesLong(bundle, options.wanted, options.copies);
  if (!bundle.sliced.empty() || plan.launches.empty() || (!up && !down))
    return transfers;
  std::vector<double> endUs; // by launch
  double workUs = 0;
  for (const LaunchWork &launch : launchWorks(bundle, plan))
    endUs.push_back(workUs += launchTimeUs(launch, options.speed));
  const TransferUse use = transferUse(bundle, plan);
  if (up) {
    // Uploads are downloads with reversed time: the last launch comes first, and copies come after
    // launches.
    std::vector<Copied> copied;
    for (const uint32_t buffer : inputs)
      if (const auto &launch = use.firstReader[buffer])
        copied.push_back({*launch, buffer});
    std::ranges::sort(copied, std::greater());
    std::vector<double> fromUs;
    for (size_t i = 0; i < endUs.size(); ++i)
      fromUs.push_back(workUs - (i == 0 ? 0 : endUs[i - 1]));
    for (auto &[launch, buffers] : groupsOf(bundle, copied, fromUs, workUs, options.copies))
      transfers.uploads.push_back({launch, std::move(buffers)});
    std::ranges::reverse(transfers.uploads);
  }
  if (down) {
    std::vector<Copied> copied;
    for (const uint32_t buffer : options.wanted)
      if (const auto &launch = use.lastWriter[buffer])
        copied.push_back({*launch, buffer});
    std::ranges::sort(copied);
    for (auto &[launch, buffers] : groupsOf(bundle, copied, endUs, workUs, options.copies))
      transfers.downloads.push_back({launch, std::move(buffers)});
  }
  return transfers;
}

} // namespace mpf
