#include "dsl/support/files/temporary_names.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace mpf {

namespace {

enum State : int { Free, Changing, Registered };

struct Place {
  std::atomic<int> state{Free};
  int folder = -1;
  std::array<char, 64> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "read in a signal handler");

/// The registered names, with more places than files are written at a time. The array is static
/// because a signal handler may use no other objects.
std::array<Place, 64> places;

} // namespace

TemporaryName::TemporaryName(int folder, const std::string &name) noexcept {
  if (name.size() >= Place{}.name.size())
    return;
  for (size_t i = 0; i < places.size(); ++i) {
    int expected = Free;
    if (!places[i].state.compare_exchange_strong(expected, Changing))
      continue;
    places[i].folder = folder;
    std::memcpy(places[i].name.data(), name.c_str(), name.size() + 1);
    places[i].state = Registered;
    place_ = static_cast<int>(i);
    return;
  }
}

TemporaryName::~TemporaryName() {
  if (place_ >= 0)
    places[static_cast<size_t>(place_)].state = Free;
}

void removeTemporaryFiles() noexcept {
  const int problem = errno;
  for (Place &place : places)
    if (place.state == Registered)
      ::unlinkat(place.folder, place.name.data(), 0);
  errno = problem;
}

} // namespace mpf
