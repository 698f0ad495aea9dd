// Lanes with the table-driven kernels of teams: the warps of a block answer up to 32 cases
// (codegen/bundle/lanes/team_program.h).
#include "codegen/bundle/lanes/team_program.h"
#include "dsl/support/counts.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>
#include <utility>

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

class TeamLauncher final : public LaneLauncher {
public:
  TeamLauncher(const CudaDevice &device, const LaneProgram &program, const CommonTables &common,
               const LinearPlan &plan, TeamProgram &&team, const std::string &source,
               ElementType type, const KernelStoreOptions &kernels, uint64_t warps)
      : LaneLauncher(device, program, common, plan, withSource(team.layout, source, type), type,
                     kernels),
        warps_(warps != 0 ? warps : teamWarps(team.work)), isFixed_(warps != 0),
        stepCount_(static_cast<int>(team.steps.size())), arenaElems_(team.arenaElems),
        slotCount_(team.slotCount), steps_(keptOnDevice(device, team.steps)),
        parts_(keptOnDevice(device, team.parts)), addresses_(keptOnDevice(device, team.addresses)) {
    sharedLanes_ = sharedTeamLanes(arenaElems_, type, device.properties().sharedBytesPerBlock);
    if (sharedLanes_ != 0)
      inShared_ = function(teamEntry(true, kCasesOfTeam),
                           static_cast<uint32_t>(sharedLanes_ * arenaBytesOfLane()));
    if (sharedLanes_ != kCasesOfTeam) {
      inGlobal_ = function(teamEntry(false, kCasesOfTeam), 0);
      fewInGlobal_ = function(teamEntry(false, kLeastTeamLanes), 0);
    }
  }

  void launchAlone(const LanePointers &cases, CudaStreamHandle stream) override {
    if (cases.count == 0)
      return;
    if (cases.count != shapeCases_)
      prepare(cases.count);
    CudaDevicePointer steps = steps_.address(), parts = parts_.address(),
                      addresses = addresses_.address(), codes = cases.codes,
                      weights = cases.weights, image = this->image(), results = cases.results,
                      exponents = cases.exponents, states = cases.states,
                      scratch = scratch_.address(), slots = slots_.address();
    auto pitch = static_cast<int>(cases.pitch), count = static_cast<int>(cases.count),
         arenaElems = static_cast<int>(arenaElems_), slotCount = static_cast<int>(slotCount_);
    int stepCount = stepCount_, target = plan().greatestExponent, orders = plan().orders,
        lanes = static_cast<int>(shape_.lanes);
    void *arguments[] = {&steps,      &parts,     &addresses, &codes,  &weights, &pitch, &count,
                         &image,      &results,   &exponents, &states, &scratch, &slots, &stepCount,
                         &arenaElems, &slotCount, &target,    &orders, &lanes};
    const auto threads = static_cast<uint32_t>(shape_.warps * kCasesOfTeam);
    const auto sharedBytes =
        static_cast<uint32_t>(shape_.isShared ? shape_.lanes * arenaBytesOfLane() : 0);
    const CudaKernel &inGlobal = shape_.lanes == kCasesOfTeam ? inGlobal_ : fewInGlobal_;
    device().launch(shape_.isShared ? inShared_ : inGlobal, {shape_.blocks, threads, sharedBytes},
                    arguments, kernel().name.c_str(), stream);
  }

private:
  bool sharesMemory() const override { return true; }

  uint64_t arenaBytesOfLane() const { return arenaElems_ * elementBytes(type()); }

  uint64_t bytesOfLane(bool isShared) const {
    return (isShared ? 0 : arenaBytesOfLane()) + slotCount_ * sizeof(int32_t);
  }

  /// Returns the number of cases whose messages fit the device. If it is 0, fittingBlocks throws.
  uint64_t fittingCases() const {
    const uint64_t free = device().freeBytes() + scratch_.sizeBytes() + slots_.sizeBytes();
    return free / 10 * 9 / std::max<uint64_t>(bytesOfLane(false), 1);
  }

  /// Chooses the shape for `cases` cases and reserves its memory. Asking for the free memory takes
  /// time.
  void prepare(uint64_t cases) {
    shapeCases_ = 0; // until all memory is allocated
    const uint64_t multiprocessors = device().properties().smCount;
    TeamShape shape = teamShape(cases, warps_, {multiprocessors, sharedLanes_, fittingCases()});
    if (isFixed_)
      shape.warps = warps_;
    shape.blocks = fittingBlocks(
        std::min(shape.teams, multiprocessors * (shape.isShared ? 1 : residentTeams(shape.warps))),
        shape.lanes * bytesOfLane(shape.isShared), shape.lanes,
        scratch_.sizeBytes() + slots_.sizeBytes());
    reserveScratch(shape);
    shapeCases_ = cases;
    shape_ = shape;
  }

  void reserveScratch(const TeamShape &shape) {
    const uint64_t arenaBytes =
        shape.isShared ? 0 : shape.blocks * shape.lanes * arenaBytesOfLane();
    const uint64_t slotBytes = shape.blocks * shape.lanes * slotCount_ * sizeof(int32_t);
    if (arenaBytes > scratch_.sizeBytes() || slotBytes > slots_.sizeBytes()) {
      scratch_ = DeviceMemory(); // frees the old memory first
      slots_ = DeviceMemory();
      scratch_ = DeviceMemory(device(), std::max<uint64_t>(arenaBytes, 16));
      slots_ = DeviceMemory(device(), std::max<uint64_t>(slotBytes, 16));
    }
  }

  const uint64_t warps_;
  const bool isFixed_; ///< true: always use warps_ warps
  const int stepCount_;
  const uint64_t arenaElems_, slotCount_;
  DeviceMemory steps_, parts_, addresses_, scratch_, slots_;
  uint64_t sharedLanes_ = 0; ///< lanes of a team whose arena fits shared memory; 0: none does
  CudaKernel inShared_, inGlobal_, fewInGlobal_; ///< null if no team needs it
  uint64_t shapeCases_ = 0; ///< cases for which shape_ and the memory were made
  TeamShape shape_;
};

} // namespace

std::unique_ptr<GpuLanes> makeGpuTeams(const LaneProgram &program, const CommonTables &common,
                                       const LinearPlan &plan, const std::string &source,
                                       ElementType type, const GpuOptions &options,
                                       uint64_t warps) {
  auto device = std::make_unique<const CudaDevice>(options.ordinal);
  auto launcher = std::make_unique<TeamLauncher>(*device, program, common, plan,
                                                 buildTeamProgram(program, plan), source, type,
                                                 options.kernels, warps);
  return std::make_unique<GpuLanes>(std::move(device), std::move(launcher), options);
}

} // namespace mpf
