// The times of a GPU's start, for mpfc run --profile.
#pragma once

#include "runtime/machine/gpu_backend.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

/// Prints the times of the GPU's start for --profile, when nothing uses the GPU any more. Its
/// context stays until the process ends (main.cpp).
class StartTimes {
public:
  explicit StartTimes(bool areTold) : areTold_(areTold) {}
  StartTimes(const StartTimes &) = delete;
  StartTimes &operator=(const StartTimes &) = delete;
  ~StartTimes() {
    if (areTold_)
      for (const auto &[part, timeUs] : gpuBackendStartTimes())
        say("mpfc: note: start of the GPU: {} {:.3f} ms\n", part, timeUs / 1000);
  }

private:
  const bool areTold_;
};

} // namespace mpf::driver
