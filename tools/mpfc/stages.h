// The stages by name: the words of --emit and -x, in the order of the pipeline.
#pragma once

#include <string>
#include <string_view>

namespace mpf::driver {

/// Ordered: "how far" is a comparison.
enum class Stage { Source, Ast, Model, Plan, Kernel, Cuda, Cpp, Ptx, Bundle, Schedule };

struct StageInfo {
  Stage stage;
  std::string_view name; ///< "model"
  bool printed;          ///< --emit=NAME prints it
  bool read;             ///< -x NAME starts from its text
};

/// Throws Error(Usage) that names the stages there are.
Stage emittedStage(const std::string &name);
Stage startingStage(const std::string &name);

/// "model|plan|...", for the help text.
std::string emittedStageNames();
std::string startingStageNames();

} // namespace mpf::driver
