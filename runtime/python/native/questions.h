// A query for evidence on a fixed set of variables, whose states change from call to call.
#pragma once

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Question.
void defineQuestions(nanobind::module_ &module);

} // namespace mpf::python
