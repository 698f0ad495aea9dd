// The choice of a program's operations that run from now on, with derived flags. Choices recur:
// those of a session's evidence, those of each superstep on two devices. Each is examined once, so
// that a change costs a comparison of flags.
#pragma once

#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>
#include <list>
#include <vector>

namespace mpf {

/// `program` must outlive the object and must not change. Not thread-safe.
class ChosenOperations {
public:
  static constexpr size_t kMostChoices = 128; ///< most known choices; fewer if they take more than:
  /// Most bytes of choices; at least one is kept.
  static constexpr uint64_t kMostBytes = 16ull << 20;

  /// Chooses all operations.
  explicit ChosenOperations(const ReplicatedBundle &program);

  /// Changes to a choice. `given`: a flag per operation of the given bundle. The last choices are
  /// kept; each takes a byte for each operation of the given bundle and two for each of the
  /// program.
  void use(const std::vector<char> &given);

  /// Flags per operation of the program: for all replicas (runs), and for those that a host leads
  /// (led).
  const std::vector<char> &runs() const { return choices_.front().runs; }
  const std::vector<char> &led() const { return choices_.front().led; }
  /// True if the chosen operations can run once more
  /// (runtime/schedule/launches/linear_assumption.h).
  bool canRunAgain() const { return choices_.front().canRunAgain; }

private:
  struct Choice {
    std::vector<char> given, runs, led;
    bool canRunAgain = true;
  };
  const ReplicatedBundle &program_;
  const uint64_t mostChoices_;
  std::list<Choice> choices_; ///< the last used one first
};

} // namespace mpf
