#include "runtime/execute/gpu/runs/result_downloads.h"

#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/host/integer_tables.h"

#include <algorithm>
#include <cstring>

namespace mpf {

ResultDownloads::ResultDownloads(const CudaDevice &device, const ReplicatedBundle &program,
                                 const GpuArenas &arenas, const GpuStates &states,
                                 const SliceKernels *slices, BesideStream &beside)
    : device_(device), program_(program), arenas_(arenas), states_(states), slices_(slices),
      beside_(beside) {}

/// Returns where the plan's downloads begin in the image.
uint64_t ResultDownloads::firstBytes() const {
  const uint64_t bytes = states_.sizeBytes() + (slices_ != nullptr ? slices_->outcomeBytes() : 0);
  return roundUp(bytes, tableAlignBytes(bytes));
}

bool ResultDownloads::holds(const GpuPlan &plan) const {
  return firstBytes() + plan.downBytes() <= image_.sizeBytes();
}

void ResultDownloads::reserve(const GpuPlan &plan) {
  image_ = HostImage(); // frees the old memory first
  image_ = HostImage(device_, firstBytes() + plan.downBytes());
}

void ResultDownloads::begin(bool isWanted) {
  isWanted_ = isWanted;
  areStarted_ = false;
  outcome_ = {};
}

/// Starts a download on the device's stream, or on `beside`.
void ResultDownloads::startDownload(const GpuPlan::DownImage &down,
                                    const CudaStream *beside) const {
  for (const ArenaImage::Part &part : down.image.parts()) {
    std::byte *const to = image_.data() + firstBytes() + down.atBytes + part.atBytes;
    if (beside != nullptr)
      beside->download(to, arenas_.work(), part.range.sizeBytes, part.range.firstBytes);
    else
      arenas_.work().download(to, part.range.sizeBytes, part.range.firstBytes);
  }
}

void ResultDownloads::startBehind(const GpuPlan &plan, size_t launch) {
  if (!isWanted_ || !image_.isLocked())
    return;
  for (size_t g = 0; g < plan.transfers.downloads.size(); ++g)
    if (plan.transfers.downloads[g].behind == launch) {
      beside_.get().waitForDevice();
      startDownload(plan.downloads[g], &beside_.get());
    }
}

void ResultDownloads::startLast(const GpuPlan &plan) {
  if (isWanted_ && image_.isLocked())
    startRest(plan, false);
}

/// Starts the downloads after the last launch. `withGroups`: those of groups have not been started.
void ResultDownloads::startRest(const GpuPlan &plan, bool withGroups) {
  states_.startDownload(static_cast<void *>(image_.data()));
  if (slices_ != nullptr)
    slices_->downloadOutcome(image_.data() + states_.sizeBytes());
  const size_t groups = plan.transfers.downloads.size();
  for (size_t g = withGroups ? 0 : groups; g < plan.downloads.size(); ++g)
    startDownload(plan.downloads[g], nullptr);
  if (!withGroups && groups != 0)
    beside_.get().holdDevice();
  areStarted_ = true;
}

std::vector<TableState> ResultDownloads::finish(const GpuPlan &plan) {
  MPF_CHECK(image_.sizeBytes() >= firstBytes() + plan.downBytes(), "{} bytes for {} of results",
            image_.sizeBytes(), firstBytes() + plan.downBytes());
  if (!areStarted_)
    startRest(plan, true);
  device_.synchronize();
  std::vector<TableState> states(program_.bundle.buffers.size());
  std::memcpy(states.data(), image_.data(), states_.sizeBytes());
  if (slices_ != nullptr)
    outcome_ = slices_->outcomeOf(image_.data() + states_.sizeBytes());
  noteLostReplicas(states);
  return states;
}

/// Notes lost counts of the last pass: callers see only the states of replicas without shifts.
void ResultDownloads::noteLostReplicas(const std::vector<TableState> &states) {
  const Bundle &bundle = program_.bundle;
  if (!isIntegerType(bundle.type))
    return;
  for (uint32_t i = 0; i < bundle.operations.size(); ++i)
    if (program_.isShifted(i) &&
        isLostCount(states[bundle.operations[i].result.buffer.index()], bundle.type))
      outcome_.faults.lost =
          std::min(outcome_.faults.lost, static_cast<int32_t>(program_.original[i]));
}

const std::byte *ResultDownloads::result(const GpuPlan &plan, BufferId buffer) const {
  if (!std::binary_search(plan.wanted.begin(), plan.wanted.end(), buffer.value))
    return nullptr;
  const GpuPlan::DownImage &down = plan.imageOf(buffer.value);
  return image_.data() + firstBytes() + down.atBytes +
         down.image.placeOf(arenas_.buffers().rangeOf(buffer).firstBytes);
}

} // namespace mpf
