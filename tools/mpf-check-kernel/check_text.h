// Checks a CUDA text that a user edited, as mpf's tests check every emitted text. First, the text
// must have no raw access (codegen/emit/tooling/check_source.h). Then it must run without faults in
// the SIMT checker (runtime/simt).
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Reports errors to `diagnostics`, and warnings for bank conflicts that the emitted text does not
/// have. `text` must contain the plans of its kernels (codegen/emit/plan_in_text.h). Returns a line
/// for each kernel that ran, for people. Throws Error(Device) without a C++ compiler. A kernel may
/// crash the process or never end, so call this in a separate process.
std::vector<std::string> checkText(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics);

} // namespace mpf
