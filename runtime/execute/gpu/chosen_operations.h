// Which operations of a program run from now on, and what follows from that. Choices come back with
// each run: those of a session's evidence, those of each superstep on two devices. Each is looked
// at once, so that to change between them costs a comparison of flags.
#pragma once

#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>
#include <list>
#include <vector>

namespace mpf {

/// `program` must outlive it and stay as it is. Not thread-safe.
class ChosenOperations {
public:
  static constexpr size_t kMostChoices = 128;         ///< fewer where they take more than:
  static constexpr uint64_t kMostBytes = 16ull << 20; ///< but one at least

  /// At first all run.
  explicit ChosenOperations(const ReplicatedBundle &program);

  /// `given`: a flag per operation of the given bundle. The last ones that were used are known,
  /// which takes a byte for each operation of the given bundle and two for each of the program.
  void use(const std::vector<char> &given);

  /// Flags per operation of the program: of all replicas; of those that a host leads.
  const std::vector<char> &runs() const { return choices_.front().runs; }
  const std::vector<char> &led() const { return choices_.front().led; }
  /// schedule/linear_assumption.h
  bool canRunAgain() const { return choices_.front().canRunAgain; }

private:
  struct Choice {
    std::vector<char> given, runs, led;
    bool canRunAgain = true;
  };
  const ReplicatedBundle &program_;
  const uint64_t mostChoices_;
  std::list<Choice> choices_; ///< the last one used first
};

} // namespace mpf
