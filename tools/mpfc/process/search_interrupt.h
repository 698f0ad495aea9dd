// Handles Ctrl-C during the search for an elimination order: the search ends with the best order so
// far.
#pragma once

#include <atomic>
#include <csignal>

namespace mpf::driver {

/// While an object exists, the first SIGINT only sets the flag and a second one ends the process.
/// Without an object, SIGINT ends the process. SIGTERM always ends it. There may be one object at a
/// time. Once set, the flag stays set for later objects, which then catch no signal.
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
