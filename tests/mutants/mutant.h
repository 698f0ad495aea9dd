#pragma once

#include <atomic>
#include <cstdlib>
#include <sys/syscall.h>

// No header of the system that declares functions: their names would hide or clash with those of
// the sources.
extern "C" long syscall(long number, ...) noexcept;

/// Used by the copies of source files that draw_mutants.py writes, and by nothing else.
namespace mpf::mutants {

/// The request that the environment has for this process.
///   MPF_MUTANT=N       mutant N is active; without it none is
///   MPF_MUTANT_LOG=F   byte N of the file F becomes 1 when mutant N is reached
/// The file is mapped by bare calls of the system: tests/inject counts and fails the calls of the C
/// library.
struct Request {
  static constexpr long kMostMutants = 4096;
  int active = -1;
  std::atomic<unsigned char> *reached = nullptr;

  Request() {
    // The values of <fcntl.h> and <sys/mman.h> on Linux for x86-64.
    enum : int { kHere = -100, kReadWrite = 2, kCreate = 0100, kCloseOnExec = 02000000 };
    enum : int { kPages = 3, kShared = 1 };
    if (const char *text = std::getenv("MPF_MUTANT"))
      active = std::atoi(text);
    const char *path = std::getenv("MPF_MUTANT_LOG");
    if (!path)
      return;
    const long file = syscall(SYS_openat, kHere, path, kReadWrite | kCreate | kCloseOnExec, 0600);
    if (file < 0 || syscall(SYS_ftruncate, file, kMostMutants) != 0)
      return;
    const long memory = syscall(SYS_mmap, nullptr, kMostMutants, kPages, kShared, file, 0L);
    syscall(SYS_close, file);
    if (memory != -1)
      reached = reinterpret_cast<std::atomic<unsigned char> *>(memory);
  }
};

inline bool isActive(int mutant) {
  static const Request request;
  if (request.reached)
    request.reached[mutant].store(1, std::memory_order_relaxed);
  return request.active == mutant;
}

} // namespace mpf::mutants

#define MPF_MUTANT(number) (::mpf::mutants::isActive(number))
