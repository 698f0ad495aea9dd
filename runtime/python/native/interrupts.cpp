#include "runtime/python/native/interrupts.h"

#include "dsl/support/check.h"
#include "runtime/python/native/without_gil.h"

#include <chrono>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

void Interrupts::start(std::optional<double> seconds) {
  limit_ = seconds;
  begin_ = now();
}

Watch Interrupts::watch() {
  return {.progress = [this](const Progress &progress) {
    if (limit_ && now() - begin_ > *limit_)
      fail(ErrorKind::TimeLimit, "the time limit was reached while {}", progress.phase);
    sleepAtEnd();
    const nb::gil_scoped_acquire mine;
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    return true;
  }};
}

} // namespace mpf::python
