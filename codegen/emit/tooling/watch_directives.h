// Preprocessor directives by which the text that is checked would not be the text that runs.
#pragma once

#include "codegen/emit/tooling/source_finding.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace clang {
class PPCallbacks;
class SourceManager;
} // namespace clang

namespace mpf {

/// Callbacks that add to `findings`, behind the first `trustedBytes` of the text: included files;
/// conditions, which hold for one compiler and not for another, and macros with names that the
/// preamble, CUDA or the compiler define. Other macros of a user's own are seen as what they expand
/// to. Both arguments must outlive the callbacks.
std::unique_ptr<clang::PPCallbacks> watchDirectives(const clang::SourceManager &sources,
                                                    size_t trustedBytes,
                                                    std::vector<SourceFinding> &findings);

} // namespace mpf
