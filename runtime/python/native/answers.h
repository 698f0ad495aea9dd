// The answers to a block of cases, whose arrays Python sees without a copy.
#pragma once

#include "runtime/result/case_answers.h"

#include <nanobind/nanobind.h>

namespace mpf::python {

/// Defines the class Answers. Its arrays keep it alive.
void defineAnswers(nanobind::module_ &module);

/// A Python int with the value.
nanobind::object exactInt(Uint128 value);

} // namespace mpf::python
