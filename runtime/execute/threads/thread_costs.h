// What it costs that several threads of the CPU run a program together.
#pragma once

namespace mpf {

/// As `mpfc calibrate` fits them (runtime/machine/machine_speed.h), and before that between two
/// hosts with 2 and 16 threads.
struct ThreadCosts {
  /// To wake the threads for a run and to wait for them at its end: for each doubling of their
  /// number, since those who wake wake others.
  double wakeUs = 50;
  /// Until a unit of tasks that became ready runs on a thread, and has its tables in that one's
  /// caches.
  double handUs = 6;
  /// What the threads lose on an operation that they share, to waits and to each other's caches:
  /// this times the square root of what one thread takes, in us.
  double sharingUs = 3;
  /// By this share each further thread that computes slows all others down: they have cores, caches
  /// and memory in common.
  double crowding = 0.02;

  bool operator==(const ThreadCosts &) const = default;
};

} // namespace mpf
