// Ctrl-C while an order is searched for: the search ends with the best order so far.
#pragma once

#include <atomic>
#include <csignal>

namespace mpf::driver {

/// While an object lives, the first SIGINT only sets the flag; a second one ends the process, as
/// does the first one once the object is gone. SIGTERM always ends it: who sends that does not wait
/// for a run. One object at a time; the flag stays set for those that come after it, which wait for
/// no other signal.
class SearchInterrupt {
public:
  SearchInterrupt();
  ~SearchInterrupt();
  SearchInterrupt(const SearchInterrupt &) = delete;
  SearchInterrupt &operator=(const SearchInterrupt &) = delete;

  const std::atomic<bool> *flag() const;

private:
  bool waits_ = true;
  struct sigaction before_ = {};
};

} // namespace mpf::driver
