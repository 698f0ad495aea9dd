// Chooses the steps of a lane program for which the CPU compiles C++ text (strip_text.h). The
// built-in kernels run the others, which are large: there the time is in their inner loops, while
// in small steps it is in calls, addresses, and in messages that go through memory.
//
// A step is compiled where it is predicted to save more processor time over all cases than
// compiling its text takes. The choice depends on the program, the number of cases and the kernels'
// vectors alone; not on the cache, the number of threads or measured times.
#pragma once

#include "runtime/execute/lanes/compiled/strip_text.h"

#include <string>
#include <vector>

namespace mpf {

/// A text, and what its functions run.
struct StripText {
  std::string name;
  std::string functions; ///< without kStripPreamble, which stands once in front of any number
  std::vector<StripSegment> segments;
  double compileUs = 0; ///< of one core, as predicted
  double gainUs = 0;    ///< saved over all cases, in time of one core, as predicted

  /// The function that runs segments[i].
  std::string symbol(size_t i) const { return name + '_' + std::to_string(segments[i].first); }
};

struct StripChoice {
  std::vector<char> isWritten; ///< by step
  std::vector<StripText> texts;
};

/// `mayBeWritten` by step: no other kernel runs it. `expectedCases` = 0 chooses none; infinity
/// chooses all steps that can be compiled.
StripChoice chooseStrips(const StripTextParts &parts, std::vector<char> mayBeWritten,
                         double expectedCases);

} // namespace mpf
