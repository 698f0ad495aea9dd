// The ways to answer a list of cases (choose_engine.h).
#pragma once

#include <string_view>

namespace mpf {

enum class CaseEngineKind {
  Lanes,    ///< on the CPU; on the GPU where the device is a GPU
  GpuLanes, ///< on the GPU, where the device is left open
  Tables,
  Single,
};

std::string_view engineName(CaseEngineKind kind); ///< "lanes", "tables", "single runs"

} // namespace mpf
