// Announces on stderr that planning takes long, because the time of a run is only known after it.
#pragma once

#include <string>

namespace mpf::driver {

/// Prints notes from an object that lives long: after 0.7 s the text of noteRunAhead, and after 10
/// s what ends the search. Each is printed once per process. It uses SIGALRM, no thread, so short
/// queries cost nothing. There may be one object at a time.
class LongPlanning {
public:
  LongPlanning();
  ~LongPlanning();
  LongPlanning(const LongPlanning &) = delete;
  LongPlanning &operator=(const LongPlanning &) = delete;
};

/// Sets the first note of the object that lives, in place of the one before. Empty: there is no
/// note. If its time is over and nothing was printed, prints it now. Call it on one thread.
void noteRunAhead(const std::string &text);

} // namespace mpf::driver
