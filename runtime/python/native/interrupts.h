// Ctrl-C and time limits of Python in long calls of C++.
#pragma once

#include "dsl/support/system/watch.h"

#include <optional>

namespace mpf::python {

/// Ends calls by a signal of Python, or at a time. One object serves one call at a time.
class Interrupts {
public:
  /// Starts the time of a call. `seconds`: its limit; none: it has none.
  void start(std::optional<double> seconds);

  /// Returns a watch for calls without the GIL, which lives no longer than this object. It takes
  /// the GIL on the calling thread and looks for signals: what their handlers raise ends the call,
  /// KeyboardInterrupt for example. After the limit the call ends with Error(TimeLimit). Other
  /// threads than Python's first never see a signal.
  Watch watch();

private:
  std::optional<double> limit_;
  double begin_ = 0;
};

} // namespace mpf::python
