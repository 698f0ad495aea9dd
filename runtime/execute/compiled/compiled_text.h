// C++ text of an operation's own kernel:
//
//   extern "C" void NAME(const T *const *operands, T *result, T factor, unsigned long begin,
//                        unsigned long end, T *range)
//
// computes the entries of pieces [begin, end) (CompiledKernelPlan::pieceCount) times `factor` and
// widens range[0], range[1] by the least and greatest magnitude of those that are not zero. Every
// entry is summed in the order of the text: its bits depend on nothing else. Extents and strides
// are constants; no header is needed; the same plan gives the same bytes everywhere.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

#include <string>
#include <string_view>

namespace mpf {

struct CompiledText {
  std::string name;     ///< of the function: a hash of what it does
  std::string function; ///< without the preamble
};

CompiledText writeCompiledText(const CompiledKernelPlan &plan);

/// mpf_compiled.h
extern const std::string_view kCompiledPreamble;

/// What a compiler takes: preamble and function.
std::string compiledSource(const CompiledText &text);

} // namespace mpf
