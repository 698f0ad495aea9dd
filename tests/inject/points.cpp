#include "tests/inject/points.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inject {

namespace {

constexpr const char *kNames[] = {
#define MPF_KIND(name) #name,
#include "tests/inject/kinds.def"
#undef MPF_KIND
};
constexpr int kKinds = sizeof kNames / sizeof *kNames;
constexpr int kMostErrno = 133;
constexpr unsigned long kSmallBytes = 4096;
constexpr int kMostFrames = 32;
constexpr unsigned kSlots = 1U << 18; ///< of call stacks; a power of two

struct Point {
  int kind = -1;
  unsigned long number = 0;
  char onwards = 0; ///< + or ~: with later ones
  Verdict verdict;
};

Point point;
std::atomic<bool> counting{false}, fired{false};
constexpr int kNoKind = -1, kAllKinds = -2;
std::atomic<int> recordedKind{kNoKind};
std::atomic<unsigned long> counts[kKinds];
bool inChildren = false;
char countsPath[512], firedPath[512];
thread_local bool inside = false; // calls that this file makes do not count

std::atomic_flag sitesLock = ATOMIC_FLAG_INIT;
struct Slot {
  unsigned long hash;
  unsigned site;
} slots[kSlots];
struct Site {
  int kind;
  unsigned long first, last, place;
} sites[kSlots / 2];
unsigned siteCount = 0;

int kindNamed(const char *name, size_t length) {
  for (int i = 0; i < kKinds; ++i)
    if (std::strlen(kNames[i]) == length && std::strncmp(kNames[i], name, length) == 0)
      return i;
  return -1;
}

Verdict howNamed(const char *name) {
  if (std::strcmp(name, "short") == 0)
    return {How::Short, 0};
  if (std::strcmp(name, "kill-before") == 0)
    return {How::KillBefore, 0};
  if (std::strcmp(name, "kill-after") == 0)
    return {How::KillAfter, 0};
  for (int error = 1; error <= kMostErrno; ++error)
    if (const char *known = ::strerrorname_np(error); known && std::strcmp(known, name) == 0)
      return {How::Fail, error};
  return {};
}

void copyVariable(const char *name, char *into, size_t size) {
  if (const char *value = std::getenv(name))
    std::snprintf(into, size, "%s", value);
}

int openForAppending(const char *path) {
  return static_cast<int>(
      ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

constexpr unsigned long kHashStart = 1469598103934665603UL;

unsigned long hashed(unsigned long hash, unsigned long value) {
  return (hash ^ value) * 1099511628211UL;
}

/// Returns the place of a call stack, which does not depend on the addresses where programs and
/// libraries were loaded.
unsigned long placeOf(void *const *frames, int depth) {
  unsigned long hash = kHashStart;
  for (int i = 0; i < depth; ++i) {
    dl_find_object found{}; // dladdr() would look through all symbols
    if (::_dl_find_object(frames[i], &found) != 0)
      continue;
    const char *name = found.dlfo_link_map->l_name, *slash = std::strrchr(name, '/');
    for (const char *c = slash != nullptr ? slash : name; *c != '\0'; ++c)
      hash = hashed(hash, static_cast<unsigned char>(*c));
    hash = hashed(hash, reinterpret_cast<unsigned long>(frames[i]) - found.dlfo_link_map->l_addr);
  }
  return hash;
}

void recordSite(int kind, unsigned long number) {
  void *frames[kMostFrames];
  const int depth = ::backtrace(frames, kMostFrames);
  unsigned long hash = kHashStart + static_cast<unsigned long>(kind);
  for (int i = 2; i < depth; ++i)
    hash = hashed(hash, reinterpret_cast<unsigned long>(frames[i]));
  while (sitesLock.test_and_set())
    ;
  unsigned at = static_cast<unsigned>(hash >> 40) % kSlots;
  while (slots[at].hash != 0 && slots[at].hash != hash)
    at = (at + 1) % kSlots;
  if (slots[at].hash != 0) {
    sites[slots[at].site].last = number;
  } else if (siteCount < kSlots / 2) {
    slots[at] = {hash, siteCount};
    sites[siteCount++] = {kind, number, number, placeOf(frames + 2, depth - 2)};
  }
  sitesLock.clear();
}

void sayFired() {
  if (!fired.exchange(true))
    addStack();
}

} // namespace

void addStack() {
  if (!fired || *firedPath == '\0')
    return;
  const int file = openForAppending(firedPath);
  void *frames[kMostFrames];
  ::backtrace_symbols_fd(frames, ::backtrace(frames, kMostFrames), file);
  ::syscall(SYS_write, file, "--\n", 3);
  ::syscall(SYS_close, file);
}

Verdict arrive(Kind kind, unsigned long bytes) {
  if (!counting.load(std::memory_order_relaxed) || inside)
    return {};
  const int index = static_cast<int>(kind);
  const unsigned long number = ++counts[index];
  inside = true;
  if (recordedKind == index || recordedKind == kAllKinds)
    recordSite(index, number);
  Verdict verdict;
  const bool later = number > point.number &&
                     (point.onwards == '+' || (point.onwards == '~' && bytes > kSmallBytes));
  if (index == point.kind && (number == point.number || later)) {
    verdict = point.verdict;
    sayFired();
  }
  inside = false;
  return verdict;
}

void killSelf() {
  for (;;)
    ::syscall(SYS_kill, ::syscall(SYS_getpid), 9);
}

void enterChild() {
  counting = inChildren;
  for (auto &count : counts)
    count = 0;
}

void writeCounts() {
  if (*countsPath == '\0' || !counting.exchange(false))
    return;
  const int file = openForAppending(countsPath);
  char line[64];
  const auto write = [&](int length) { ::syscall(SYS_write, file, line, length); };
  for (int i = 0; i < kKinds; ++i)
    if (counts[i] != 0)
      write(std::snprintf(line, sizeof line, "%s %lu\n", kNames[i], counts[i].load()));
  for (unsigned i = 0; i < siteCount; ++i)
    write(std::snprintf(line, sizeof line, "site %s %lu %lx\n", kNames[sites[i].kind],
                        sites[i].first, sites[i].place));
  ::syscall(SYS_close, file);
}

void readEnvironment() {
  const char *spec = std::getenv("MPF_INJECT");
  if (spec == nullptr)
    return;
  void *frame;
  ::backtrace(&frame, 1); // loads the unwinder, which allocates
  copyVariable("MPF_INJECT_COUNTS", countsPath, sizeof countsPath);
  recordedKind = *countsPath != '\0' ? kAllKinds : kNoKind;
  copyVariable("MPF_INJECT_FIRED", firedPath, sizeof firedPath);
  const char *in = std::getenv("MPF_INJECT_IN");
  inChildren = in != nullptr && std::strcmp(in, "child") == 0;
  if (const char *colon = std::strchr(spec, ':')) {
    char *end = nullptr;
    point.kind = kindNamed(spec, static_cast<size_t>(colon - spec));
    point.number = std::strtoul(colon + 1, &end, 10);
    point.onwards = *end == ':' ? 0 : *end;
    point.verdict = howNamed(end + (point.onwards ? 2 : 1));
    if (point.kind < 0 || point.verdict.how == How::Proceed)
      ::_exit(99);
  }
  counting = !inChildren;
}

} // namespace inject

extern "C" {

void mpfInjectArm(const char *kind, unsigned long number, char onwards, int error) {
  using namespace inject;
  point = {kindNamed(kind, std::strlen(kind)), number, onwards, {How::Fail, error}};
  for (auto &count : counts)
    count = 0;
  fired = false;
  counting = true;
}

void mpfInjectRecord(const char *kind) {
  using namespace inject;
  void *frame;
  ::backtrace(&frame, 1); // loads the unwinder, which allocates
  std::memset(slots, 0, sizeof slots);
  siteCount = 0;
  mpfInjectArm(kind, 0, 0, 0);
  recordedKind = point.kind;
}

MpfInjectedStack mpfInjectStack(unsigned index) {
  using namespace inject;
  return index < siteCount ? MpfInjectedStack{sites[index].first, sites[index].last}
                           : MpfInjectedStack{};
}

bool mpfInjectDisarm() {
  inject::counting = false;
  inject::recordedKind = inject::kNoKind;
  return inject::fired;
}
}
