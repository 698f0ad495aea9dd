// The ways to answer a list of cases (choose_engine.h).
#pragma once

#include <string_view>

namespace mpf {

enum class CaseEngineKind {
  Lanes,    ///< lanes of the device in the settings; of the CPU if that is "auto"
  GpuLanes, ///< lanes of the machine's GPU, if the settings leave the device open
  Tables,
  Single,
};

std::string_view engineName(CaseEngineKind kind); ///< "lanes", "tables", "single runs"

} // namespace mpf
