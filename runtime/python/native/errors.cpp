#include "runtime/python/native/errors.h"

#include "dsl/support/error.h"

namespace nb = nanobind;

namespace mpf::python {

namespace {

/// Returns the name of the class of mpf.errors for a kind.
const char *classOf(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::BadInput:
    return "BadInput";
  case ErrorKind::Usage:
    return "Usage";
  case ErrorKind::MemoryBound:
    return "MemoryBound";
  case ErrorKind::TimeLimit:
    return "TimeLimit";
  case ErrorKind::Device:
    return "Device";
  case ErrorKind::Verification:
    return "Verification";
  case ErrorKind::Overflow:
    return "Overflow";
  case ErrorKind::Unsupported:
    return "Unsupported";
  default:
    return "Internal";
  }
}

} // namespace

void translateErrors() {
  nb::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error &error) {
      const nb::object kind = nb::module_::import_("mpf.errors").attr(classOf(error.kind()));
      PyErr_SetString(kind.ptr(), error.what());
    }
  });
}

} // namespace mpf::python
