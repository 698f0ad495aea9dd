// TARGET: the limits and rates of a device, as a value that callers pass down. No global variable
// says which device mpf compiles for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

struct Target {
  std::string name; ///< "sm_90", "cpu"
  uint32_t smCount = 0;
  uint32_t warpThreads = 32;
  uint32_t maxThreadsPerBlock = 1024;
  uint32_t maxThreadsPerSm = 2048;
  uint32_t maxBlocksPerSm = 32;
  uint32_t registersPerSm = 65536;
  uint32_t schedulersPerSm = 4; ///< each has its share of the warps and of the registers
  uint32_t maxRegistersPerThread = 255;
  uint32_t sharedBytesPerSm = 0;
  uint32_t sharedBytesPerBlock = 0; ///< the opt-in limit
  uint32_t sharedBanks = 32;
  uint32_t bankBytes = 4;
  uint64_t l2Bytes = 0;
  uint64_t memoryBytes = 0;
  double clockGhz = 0;
  double copyBytesPerUs = 0; ///< device memory, read + write
  double l2BytesPerUs = 0;
  double f32FlopsPerUs = 0;
  double f64FlopsPerUs = 0;        ///< without tensor cores
  double f64MatrixFlopsPerUs = 0;  ///< mma.sync of f64; 0: no faster than without tensor cores
  double tf32MatrixFlopsPerUs = 0; ///< mma.sync of TF32; an f32 product takes three
  bool wideF64Matrix = false;      ///< has f64 m16n8k4, m16n8k8 and m16n8k16 besides m8n8k4
  double exp2PerUs = 0;            ///< evaluations by the special-function units
  double launchUs = 0;             ///< time of an empty kernel

  friend bool operator==(const Target &, const Target &) = default;
};

/// Returns the target of a known device: "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120" or
/// "cpu". Throws Error(Usage), naming the known ones, for any other name.
Target targetNamed(const std::string &name);
inline constexpr const char *kCpuTarget = "cpu";
/// The GPU that mpf plans for when the user names none: that of the reference machine.
inline constexpr const char *kReferenceTarget = "sm_90";
/// The target of that name; of an empty one the reference GPU. Throws as targetNamed.
Target targetOrReference(const std::string &name);
/// Whether targetNamed knows a GPU of this name.
bool knowsGpu(const std::string &arch);
/// The names of all GPUs that targetNamed knows.
std::vector<std::string> gpuTargetNames();

} // namespace mpf
