// The stages by name: the words of --emit and -x, in the order of the pipeline.
#pragma once

#include "tools/mpfc/options/enum_set.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::driver {

/// The stages are ordered, so that the code can compare how far a command goes. `Result` is what
/// `run` makes; it is a word of neither -x nor --emit.
enum class Stage {
  Source,
  Ast,
  Model,
  Simplified,
  Graph,
  Plan,
  Order,
  Decomposition,
  Lanes,
  Kernel,
  Cuda,
  Ptx,
  Bundle,
  CompiledCpp,
  Schedule,
  Answer,
  Result
};

struct StageInfo {
  Stage stage;
  std::string_view name; ///< "model"
  std::string_view noun; ///< "a printed model", for messages
  bool printed;          ///< --emit=NAME prints it
  bool read;             ///< -x NAME starts from its text
};

const StageInfo &stageInfo(Stage stage);

using StageSet = EnumSet<Stage>;

/// The stage of a word of --emit or -x. Throws Error(Usage), naming the possible words.
Stage emittedStage(const std::string &name);
Stage startingStage(const std::string &name);

/// The words of --emit, and of -x.
std::vector<std::string_view> emittedStageNames();
std::vector<std::string_view> startingStageNames();

} // namespace mpf::driver
