// Writes the C++ text of a compiled kernel:
//
//   extern "C" void NAME(const T *const *operands, T *result, T factor, unsigned long begin,
//                        unsigned long end, T *range)
//
// The function computes the entries of pieces [begin, end) (CompiledKernelPlan::pieceCount) and
// multiplies them by `factor`. It widens range[0], range[1] by the least and greatest magnitude of
// the entries that are not zero. The text fixes the order of every sum, so the bits of an entry
// depend only on the text. Extents and strides are constants of the text. The text includes no
// header; equal plans give equal bytes everywhere.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

#include <string>
#include <string_view>

namespace mpf {

struct CompiledText {
  std::string name;     ///< name of the function, which contains a hash of its text
  std::string function; ///< text of the function, without the preamble
};

CompiledText writeCompiledText(const CompiledKernelPlan &plan);

/// The text of mpf_compiled.h.
extern const std::string_view kCompiledPreamble;

/// Returns the self-contained text: preamble and function.
std::string compiledSource(const CompiledText &text);

} // namespace mpf
