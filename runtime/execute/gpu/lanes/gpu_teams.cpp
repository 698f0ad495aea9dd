// The warps of a block for 32 cases: table-driven kernels (codegen/bundle/lanes/team_program.h).
#include "codegen/bundle/lanes/team_program.h"
#include "dsl/support/counts.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>

namespace mpf {

namespace {

LaneKernel withSource(LaneKernel layout, const std::string &source, ElementType type) {
  layout.name = teamKernelName(type);
  layout.source = source;
  return layout;
}

template <class T> DeviceMemory keptOnDevice(const CudaDevice &device, const std::vector<T> &list) {
  DeviceMemory memory(device, std::max<uint64_t>(list.size() * sizeof(T), 16));
  memory.upload(list.data(), list.size() * sizeof(T));
  device.synchronize();
  return memory;
}

class GpuTeams final : public GpuLanes {
public:
  GpuTeams(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
           TeamProgram &&team, const std::string &source, ElementType type,
           const GpuOptions &options, uint64_t warps)
      : GpuLanes(program, common, plan, withSource(team.layout, source, type), type, options),
        warps_(warps != 0 ? warps : teamWarps(team.work)), isFixed_(warps != 0),
        stepCount_(static_cast<int>(team.steps.size())), arenaElems_(team.arenaElems),
        slotCount_(team.slotCount), steps_(keptOnDevice(device_, team.steps)),
        parts_(keptOnDevice(device_, team.parts)),
        addresses_(keptOnDevice(device_, team.addresses)) {
    const uint64_t arenaBytes = arenaElems_ * kCasesOfTeam * elementBytes(type);
    isShared_ = fitsShared(team, type, device_.properties().sharedBytesPerBlock);
    sharedBytes_ = isShared_ ? static_cast<uint32_t>(arenaBytes) : 0;
    function_ = module_->function(isShared_ ? "mpf_team_shared" : "mpf_team_global", sharedBytes_);
  }

  void launch() override {
    if (now_.count == 0)
      return;
    const uint64_t teams = (now_.count + kCasesOfTeam - 1) / kCasesOfTeam;
    const uint64_t warps = warpsFor(teams);
    const uint64_t blocks = std::min(teams, mostBlocks(warps));
    reserveScratch(blocks);
    const auto threads = static_cast<uint32_t>(warps * kCasesOfTeam);
    CudaDevicePointer steps = steps_.address(), parts = parts_.address(),
                      addresses = addresses_.address(), codes = now_.codes, weights = now_.weights,
                      image = image_.address(), results = now_.results, exponents = now_.exponents,
                      states = now_.states, scratch = scratch_.address(), slots = slots_.address();
    auto pitch = static_cast<int>(now_.pitch), count = static_cast<int>(now_.count),
         arenaElems = static_cast<int>(arenaElems_), slotCount = static_cast<int>(slotCount_);
    int stepCount = stepCount_, target = plan_.greatestExponent, orders = plan_.orders;
    void *arguments[] = {&steps, &parts,     &addresses,  &codes,     &weights, &pitch,
                         &count, &image,     &results,    &exponents, &states,  &scratch,
                         &slots, &stepCount, &arenaElems, &slotCount, &target,  &orders};
    device_.launch(function_, {blocks, threads, sharedBytes_}, arguments, kernel_.name.c_str());
  }

private:
  uint64_t bytesOfBlock() const {
    return (isShared_ ? 0 : arenaElems_ * kCasesOfTeam * elementBytes(type_)) +
           slotCount_ * kCasesOfTeam * sizeof(int32_t);
  }

  /// As many as the multiprocessors hold at once, and the device has memory for.
  uint64_t mostBlocks(uint64_t warps) const {
    return fittingBlocks(device_.properties().smCount * (isShared_ ? 1 : residentTeams(warps)),
                         bytesOfBlock(), kCasesOfTeam, scratch_.sizeBytes() + slots_.sizeBytes());
  }

  /// Few teams, by the cases or by the memory, have all the warps that are left.
  uint64_t warpsFor(uint64_t teams) const {
    if (isFixed_)
      return warps_;
    if (isShared_)
      return kMostTeamWarps;
    uint64_t warps = warps_;
    while (warps < kMostTeamWarps && std::min(teams, mostBlocks(warps)) <=
                                         device_.properties().smCount * residentTeams(2 * warps))
      warps *= 2;
    return warps;
  }

  void reserveScratch(uint64_t blocks) {
    if (blocks <= blocks_)
      return;
    blocks_ = 0; // until both are there
    scratch_ = DeviceMemory();
    slots_ = DeviceMemory();
    const uint64_t arena = isShared_ ? 0 : arenaElems_ * kCasesOfTeam * elementBytes(type_);
    scratch_ = DeviceMemory(device_, std::max<uint64_t>(blocks * arena, 16));
    slots_ = DeviceMemory(device_, std::max<uint64_t>(blocks * slotCount_ * kCasesOfTeam * 4, 16));
    blocks_ = blocks;
  }

  const uint64_t warps_;
  const bool isFixed_; ///< so many warps_, whatever there is to do
  const int stepCount_;
  const uint64_t arenaElems_, slotCount_;
  DeviceMemory steps_, parts_, addresses_, scratch_, slots_;
  uint64_t blocks_ = 0; ///< that the scratch memory is for
  bool isShared_ = false;
  uint32_t sharedBytes_ = 0;
  CudaKernel function_;
};

} // namespace

std::unique_ptr<GpuLanes> makeGpuTeams(const LaneProgram &program, const CommonTables &common,
                                       const LinearPlan &plan, const std::string &source,
                                       ElementType type, const GpuOptions &options,
                                       uint64_t warps) {
  return std::make_unique<GpuTeams>(program, common, plan, buildTeamProgram(program, plan), source,
                                    type, options, warps);
}

} // namespace mpf
