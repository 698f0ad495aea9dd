// The costs of running a program on several threads of the CPU.
#pragma once

namespace mpf {

/// Costs that `mpfc calibrate` fits (runtime/machine/machine_speed.h). The defaults are between
/// those of two hosts with 2 and 16 threads.
struct ThreadCosts {
  /// Time to wake the threads for a run and to wait for them at its end, for each doubling of their
  /// number. Woken threads wake others.
  double wakeUs = 50;
  /// Time until a unit of tasks that became ready runs on a thread and has its tables in that
  /// thread's caches.
  double handUs = 6;
  /// Loss on a shared operation through waits and each other's caches: this factor times the square
  /// root of the time on one thread, in us.
  double sharingUs = 3;
  /// Share by which each further computing thread slows down all others, because threads share
  /// cores, caches and memory.
  double crowding = 0.02;

  bool operator==(const ThreadCosts &) const = default;
};

} // namespace mpf
