// The name under which the store of kernels keeps a text (runtime/compile/kernel_store.h). Files in
// folders of dumped and of overriding kernels have this name too.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Returns the name of a kernel of lanes, a table-driven team or a table-driven kernel, edited or
/// not; the head of the text identifies it. Empty for other texts: their plans name the kernels.
std::string kernelFileName(std::string_view cudaText);

} // namespace mpf
