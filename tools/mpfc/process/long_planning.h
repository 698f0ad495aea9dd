// Announces on stderr that planning takes long, because the time of a run is only known after it.
#pragma once

namespace mpf::driver {

/// Prints one note per process, once an object has lived for 10 s, and what ends the search. It
/// uses SIGALRM, no thread, so short queries cost nothing. There may be one object at a time.
class LongPlanning {
public:
  LongPlanning();
  ~LongPlanning();
  LongPlanning(const LongPlanning &) = delete;
  LongPlanning &operator=(const LongPlanning &) = delete;
};

} // namespace mpf::driver
