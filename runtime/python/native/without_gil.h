// Work without the GIL of Python, also while the process ends.
#pragma once

namespace mpf::python {

/// Gives the GIL back, and takes it again at the end. Python ends a daemon thread that takes the
/// GIL when the process is about to end, in the midst of C++, which aborts the process. Such a
/// thread sleeps here instead.
class WithoutGil {
public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  void *thread_;
};

/// Returns at once while the process goes on. When it ends, a thread other than the ending one
/// sleeps here. Call it before taking the GIL.
void sleepAtEnd();

/// Notes that the process ends; the thread that calls it goes on. The package calls it at exit.
void endProcess();

} // namespace mpf::python
