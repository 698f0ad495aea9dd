// Checks of a CUDA text that somebody edited what is checked of every text that mpf emits: no raw
// access (codegen/emit/tooling/check_source.h), then runs in the SIMT checker (runtime/simt).
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Reports errors, and warnings for bank conflicts that the emitted text does not have. The text
/// holds the plans of its kernels (codegen/emit/plan_in_text.h). Returns a line for each kernel
/// that ran, for people. Throws Error(Device) without a C++ compiler; a kernel may crash the
/// process or never end: call it in one of its own.
std::vector<std::string> checkText(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics);

} // namespace mpf
