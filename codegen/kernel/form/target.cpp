// The rates of all targets. The figures of "sm_90" for copy, exp2 and launch were measured on one
// H200. Its flop rates are 128 and 64 multiply-adds per SM and clock; cuBLAS reaches 3/4 of them.
//
// The figures of all other targets are the makers' public specifications of the named card. Their
// copy rate is taken as 7/8 of the specified bandwidth. Their launch times are those of the H200:
// 1.5 us in a graph of launches that overlap, 3.7 us one by one. Cards whose kernels cannot wait
// for the launch before must launch one by one.
//
// L2 rates are published third-party microbenchmarks, rounded down.
#include "codegen/kernel/form/target.h"

#include "dsl/support/check.h"

#include <algorithm>

#include <array>

namespace mpf {

namespace {
constexpr uint64_t kMebi = uint64_t{1} << 20;
constexpr uint64_t kGiga = 1'000'000'000;

/// The figures that distinguish cards. All other figures of a target follow from them.
struct Card {
  const char *name;
  uint32_t smCount, threadsPerSm, blocksPerSm, sharedKibPerSm;
  uint64_t l2Mib, memoryGb;
  double clockGhz, copyGbPerS, l2GbPerS;
  uint32_t f64LanesPerSm;
  uint32_t f64MatrixLanesPerSm; ///< multiply-adds per clock of mma.sync; 0: no more than the lanes
  uint32_t tf32MatrixLanesPerSm;
  bool wideF64Matrix;
  double launchUs;
};

constexpr std::array kCards = {
    Card{"sm_80", 108, 2048, 32, 164, 40, 80, 1.41, 1784, 3500, 32, 64, 512, false,
         3.7},                                                                         // A100 80 GB
    Card{"sm_86", 82, 1536, 16, 100, 6, 24, 1.695, 819, 2000, 2, 0, 128, false, 3.7},  // RTX 3090
    Card{"sm_89", 128, 1536, 24, 100, 72, 24, 2.52, 882, 4500, 2, 0, 128, false, 3.7}, // RTX 4090
    Card{"sm_90", 132, 2048, 32, 228, 50, 141, 1.98, 4250, 5500, 64, 128, 1024, true, 1.5}, // H200
    Card{"sm_100", 148, 2048, 32, 228, 126, 180, 1.85, 7000, 9000, 64, 0, 512, true, 1.5},  // B200
    Card{"sm_120", 170, 1536, 24, 100, 96, 32, 2.41, 1568, 6000, 2, 0, 128, true, 1.5}, // RTX 5090
};
constexpr double kF32LanesPerSm = 128;
constexpr double kSpecialLanesPerSm = 16;

Target gpuTarget(const Card &card) {
  Target target;
  target.name = card.name;
  target.smCount = card.smCount;
  target.maxThreadsPerSm = card.threadsPerSm;
  target.maxBlocksPerSm = card.blocksPerSm;
  target.sharedBytesPerSm = card.sharedKibPerSm * 1024;
  target.sharedBytesPerBlock = (card.sharedKibPerSm - 1) * 1024; // 1 KiB per block is the system's
  target.l2Bytes = card.l2Mib * kMebi;
  target.memoryBytes = card.memoryGb * kGiga;
  target.clockGhz = card.clockGhz;
  target.copyBytesPerUs = card.copyGbPerS * 1e3;
  target.l2BytesPerUs = card.l2GbPerS * 1e3;
  // A multiply-add counts as two operations; clocks per microsecond = GHz * 1000.
  const double clocksPerUs = card.clockGhz * 1e3 * card.smCount;
  target.f32FlopsPerUs = 2 * kF32LanesPerSm * clocksPerUs;
  target.f64FlopsPerUs = 2.0 * card.f64LanesPerSm * clocksPerUs;
  target.f64MatrixFlopsPerUs = 2.0 * card.f64MatrixLanesPerSm * clocksPerUs;
  target.tf32MatrixFlopsPerUs = 2.0 * card.tf32MatrixLanesPerSm * clocksPerUs;
  target.wideF64Matrix = card.wideF64Matrix;
  target.exp2PerUs = kSpecialLanesPerSm * clocksPerUs;
  target.launchUs = card.launchUs;
  return target;
}

/// Returns the target of one core with 256-bit vectors. A block is a piece of work for one core.
/// Its "shared memory" is a packed copy that stays in the core's L2, without banks that conflict.
Target cpuTarget() {
  Target target;
  target.name = "cpu";
  target.smCount = 1;
  target.warpThreads = 1;
  target.maxThreadsPerBlock = 1;
  target.maxThreadsPerSm = 1;
  target.maxBlocksPerSm = 1;
  target.schedulersPerSm = 1;
  target.registersPerSm = 128; // 16 vector registers of 8 floats
  target.maxRegistersPerThread = 128;
  target.sharedBytesPerSm = 256 * 1024;
  target.sharedBytesPerBlock = 256 * 1024;
  target.sharedBanks = 1;
  target.bankBytes = 4;
  target.l2Bytes = 16 * kMebi;
  target.memoryBytes = 8 * kGiga;
  target.clockGhz = 3.0;
  target.copyBytesPerUs = 15e3;
  target.l2BytesPerUs = 60e3;
  target.f32FlopsPerUs = 96e3;
  target.f64FlopsPerUs = 48e3;
  target.exp2PerUs = 3e3;
  target.launchUs = 0.1;
  return target;
}
} // namespace

bool knowsGpu(const std::string &arch) {
  return std::ranges::any_of(kCards, [&arch](const Card &card) { return card.name == arch; });
}

std::vector<std::string> gpuTargetNames() {
  std::vector<std::string> names;
  for (const Card &card : kCards)
    names.emplace_back(card.name);
  return names;
}

Target targetNamed(const std::string &name) {
  if (name == kCpuTarget)
    return cpuTarget();
  std::string known = kCpuTarget;
  for (const Card &card : kCards) {
    if (name == card.name)
      return gpuTarget(card);
    known += fmt::format(", {}", card.name);
  }
  fail(ErrorKind::Usage, "unknown target '{}', known are: {}", name, known);
}

Target targetOrReference(const std::string &name) {
  return targetNamed(name.empty() ? kReferenceTarget : name);
}

} // namespace mpf
