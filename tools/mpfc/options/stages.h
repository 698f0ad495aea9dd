// The stages by name: the words of --emit and -x, in the order of the pipeline.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

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

/// A set of stages, as data in tables.
class StageSet {
public:
  constexpr StageSet(std::initializer_list<Stage> stages) {
    for (const Stage stage : stages)
      bits_ |= 1U << static_cast<unsigned>(stage);
  }
  constexpr bool has(Stage stage) const {
    return (bits_ >> static_cast<unsigned>(stage) & 1U) != 0;
  }

private:
  unsigned bits_ = 0;
};

/// The stage of a word of --emit or -x. Throws Error(Usage), naming the possible words.
Stage emittedStage(const std::string &name);
Stage startingStage(const std::string &name);

/// "model|plan|...", for the help text.
std::string emittedStageNames();
std::string startingStageNames();

} // namespace mpf::driver
