// Chooses the steps of a lane program for which the CPU compiles C++ text (strip_text.h). Small
// steps spend their time on calls, addresses, and messages that go through memory. Large steps
// spend it in their inner loops, so the built-in kernels run them.
//
// A step is compiled if it is predicted to save more processor time over all cases than compiling
// its text takes. The choice depends only on the program, the number of cases and the kernels'
// vectors, not on the cache, the number of threads or measured times.
#pragma once

#include "runtime/execute/lanes/compiled/strip_text.h"

#include <string>
#include <vector>

namespace mpf {

/// A text and the steps that its functions run.
struct StripText {
  std::string name;
  std::string functions; ///< without kStripPreamble, which precedes any number of functions once
  std::vector<StripSegment> segments;
  double compileUs = 0; ///< predicted compilation time on one core
  double gainUs = 0;    ///< predicted time saved over all cases, on one core

  /// Returns the name of the function that runs segments[i].
  std::string symbol(size_t i) const { return name + '_' + std::to_string(segments[i].first); }
};

struct StripChoice {
  std::vector<char> isWritten; ///< by step: whether it is compiled
  std::vector<StripText> texts;
};

/// Chooses steps. `mayBeWritten`: by step, whether no other kernel runs it. `expectedCases` = 0
/// chooses none; infinity chooses all steps that can be compiled.
StripChoice chooseStrips(const StripTextParts &parts, std::vector<char> mayBeWritten,
                         double expectedCases);

} // namespace mpf
