#include "runtime/python/native/without_gil.h"

#include <atomic>
#include <chrono>
#include <nanobind/nanobind.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

std::atomic<bool> isEnding{false};
std::atomic<pthread_t> endingThread{};
std::atomic<int> threadsWithout{0};

} // namespace

WithoutGil::WithoutGil() : thread_(PyEval_SaveThread()) { ++threadsWithout; }

WithoutGil::~WithoutGil() {
  sleepAtEnd();
  PyEval_RestoreThread(static_cast<PyThreadState *>(thread_));
  --threadsWithout;
}

void sleepAtEnd() {
  while (isEnding && !pthread_equal(endingThread, pthread_self()))
    pause();
}

void endProcess() {
  endingThread = pthread_self();
  isEnding = true;
  {
    const WithoutGil others; // threads that wait for the GIL already get it once more
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (threadsWithout > 0)
    nb::set_leak_warnings(false); // what sleeping threads refer to stays
}

} // namespace mpf::python
