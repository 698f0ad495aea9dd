// Under which name the store of kernels has a text (runtime/compile/kernel_store.h): that of its
// files in folders of dumped and of overriding kernels.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Of kernels of lanes, table-driven teams and table-driven kernels, edited or not, by what stands
/// in front of their own part. Empty for others: those with plans are called as these say.
std::string kernelFileName(std::string_view cudaText);

} // namespace mpf
