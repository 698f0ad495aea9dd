// Finds preprocessor directives that make the text that runs differ from the text that is checked.
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

/// Returns callbacks for Clang's preprocessor, which add to `findings`. They ignore the first
/// `trustedBytes` of the text. Behind these they report included files, and all conditions, which
/// may hold for one compiler and not for another. They also report macros with names that the
/// preamble, CUDA or the compiler define.
///
/// Other macros are allowed: the check sees their expansion. `sources` and `findings` must outlive
/// the callbacks.
std::unique_ptr<clang::PPCallbacks> watchDirectives(const clang::SourceManager &sources,
                                                    size_t trustedBytes,
                                                    std::vector<SourceFinding> &findings);

} // namespace mpf
