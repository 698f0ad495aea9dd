#include "tools/mpfc/process/long_planning.h"

#include "tools/mpfc/process/signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/time.h>

namespace mpf::driver {

namespace {

constexpr timeval kFirstNote{0, 700'000}, kBetweenNotes{9, 300'000};

std::atomic<int> notesDue{0};                 ///< of the object that lives
std::atomic<bool> isFirstTaken{false};        ///< the first note is printed, or just being printed
std::atomic<const char *> firstNote{nullptr}; ///< one of the texts below, or null
std::array<std::array<char, 256>, 2> noteTexts; ///< one is read, the other one is written

/// Prints the first note, if there is one. The note does not change once it is taken: a writer that
/// was not told in time writes the other text.
void tellFirstNote() {
  if (firstNote == nullptr || isFirstTaken.exchange(true))
    return;
  if (const char *const text = firstNote)
    tell(text);
}

extern "C" void sayLongPlanning(int) {
  const int problem = errno;
  if (++notesDue == 1) {
    tellFirstNote();
  } else {
    tell("mpfc: note: planning has taken 10 s and goes on, perhaps for minutes; Ctrl-C ends the "
         "search with the best plan so far\n");
    ::signal(SIGALRM, SIG_IGN);
  }
  errno = problem;
}

void setTimer(timeval first, timeval between) {
  const itimerval times{between, first};
  ::setitimer(ITIMER_REAL, &times, nullptr);
}

} // namespace

LongPlanning::LongPlanning() {
  static const bool isInstalled = [] {
    struct sigaction action {};
    action.sa_handler = sayLongPlanning;
    action.sa_flags = SA_RESTART;
    return ::sigaction(SIGALRM, &action, nullptr) == 0;
  }();
  notesDue = 0;
  if (isInstalled)
    setTimer(kFirstNote, kBetweenNotes);
}

LongPlanning::~LongPlanning() {
  setTimer({}, {});
  firstNote = nullptr;
}

void noteRunAhead(const std::string &text) {
  if (isFirstTaken)
    return;
  if (text.empty()) {
    firstNote = nullptr;
    return;
  }
  auto &free = noteTexts[firstNote == noteTexts[0].data() ? 1 : 0];
  free[text.copy(free.data(), free.size() - 1)] = '\0';
  firstNote = free.data();
  if (notesDue > 0)
    tellFirstNote();
}

} // namespace mpf::driver
