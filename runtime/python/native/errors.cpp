#include "runtime/python/native/errors.h"

#include "dsl/support/error.h"

namespace nb = nanobind;

namespace mpf::python {

void translateErrors() {
  nb::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error &error) {
      const nb::object made = nb::module_::import_("mpf.errors")
                                  .attr("of_kind")(static_cast<int>(error.kind()), error.what());
      PyErr_SetObject(made.type().ptr(), made.ptr());
    }
  });
}

} // namespace mpf::python
