#include "runtime/simt/warp_calls.h"

#include "runtime/simt/matrix_lanes.h"
#include "runtime/simt/simt_hooks.h"

#include <algorithm>

namespace mpf::simt {

namespace {

int32_t reduceCalls(int kind, std::span<const uint64_t> values) {
  auto result = static_cast<int32_t>(values.front());
  for (const uint64_t given : values.subspan(1)) {
    const auto value = static_cast<int32_t>(given);
    if (kind == SimtMin)
      result = std::min(result, value);
    else if (kind == SimtMax)
      result = std::max(result, value);
    else
      result += value;
  }
  return result;
}

void multiplyCalls(const WarpOfBlock &warp, const std::vector<uint32_t> &lanes, Report &report) {
  std::vector<const SimtMatrixLane *> registers;
  for (const uint32_t lane : lanes)
    registers.push_back(reinterpret_cast<const SimtMatrixLane *>(warp.lanes[lane].call.value));
  if (!multiplyMatrix(registers))
    report.add(FaultKind::DivergentWarp, 0, "block {}: lanes meet in different matrix instructions",
               warp.block);
}

/// Sets the results of lanes that have met.
void combineCalls(const WarpOfBlock &warp, const std::vector<uint32_t> &lanes, Report &report) {
  std::vector<uint64_t> given;
  for (const uint32_t lane : lanes)
    given.push_back(warp.lanes[lane].call.value);
  for (const uint32_t lane : lanes) {
    WarpCall &call = warp.lanes[lane].call;
    if (call.kind != SimtShuffle) {
      call.value = static_cast<uint64_t>(static_cast<int64_t>(reduceCalls(call.kind, given)));
      continue;
    }
    const auto from = std::ranges::find(lanes, call.source);
    if (from == lanes.end())
      report.add(FaultKind::DivergentWarp, 0,
                 "lane {} of block {} reads from lane {}, which takes no part", lane, warp.block,
                 call.source);
    else
      call.value = given[static_cast<size_t>(from - lanes.begin())];
  }
}

bool isWaiting(const BlockThread &thread) { return thread.state == ThreadState::Collective; }

/// Returns the lanes that wait in the operation of `call`.
std::vector<uint32_t> lanesIn(const WarpOfBlock &warp, const WarpCall &call) {
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < warp.lanes.size(); ++lane) {
    const BlockThread &thread = warp.lanes[lane];
    if (isWaiting(thread) && thread.call.mask == call.mask && thread.call.kind == call.kind &&
        (call.mask >> lane & 1) != 0)
      lanes.push_back(lane);
  }
  return lanes;
}

} // namespace

bool finishWarpCalls(const WarpOfBlock &warp, uint32_t &epoch, Report &report) {
  const auto first = std::ranges::find_if(warp.lanes, isWaiting);
  if (first == warp.lanes.end())
    return false;
  bool progress = false;
  for (const BlockThread &thread : warp.lanes) {
    if (!isWaiting(thread))
      continue;
    const std::vector<uint32_t> lanes = lanesIn(warp, thread.call);
    uint32_t present = 0;
    for (const uint32_t lane : lanes)
      present |= 1u << lane;
    if (present != thread.call.mask)
      continue;
    thread.call.kind == SimtMatrix ? multiplyCalls(warp, lanes, report)
                                   : combineCalls(warp, lanes, report);
    for (const uint32_t lane : lanes)
      warp.lanes[lane].state = ThreadState::Ready;
    ++epoch;
    progress = true;
  }
  if (progress)
    return true;
  const auto awaits = [](const BlockThread &thread) { return thread.state == ThreadState::Await; };
  if (std::ranges::any_of(warp.lanes, awaits))
    return false; // the other lanes wait for it
  report.add(FaultKind::DivergentWarp, 0,
             "thread {} of block {} waits for lanes {:#x}, which do not all come",
             warp.firstThread + (first - warp.lanes.begin()), warp.block, first->call.mask);
  for (BlockThread &thread : warp.lanes)
    if (isWaiting(thread))
      thread.state = ThreadState::Ready;
  return true;
}

} // namespace mpf::simt
