// The compiler of CUDA text. There are two implementations, with and without CUDA; the build
// chooses one (MPF_ENABLE_CUDA), so that no other code depends on that option.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Returns the PTX of one self-contained source. Throws Error(Device) when there is no NVRTC. When
/// the text does not compile, throws Error(BadInput) if it is `foreign` (written by a user), else
/// Error(Internal).
std::string compileToPtx(const std::string &name, const std::string &source,
                         const std::string &arch, bool foreign);

/// Adds machine code for each architecture to every kernel of the bundle, compiled or from the
/// kernel cache. `dumpFolder` receives sources and logs; empty: nothing is dumped. Throws
/// Error(Device) when there is no NVRTC or it does not know an architecture.
void addCubins(Bundle &bundle, const std::vector<std::string> &archs,
               const std::string &dumpFolder);

/// Whether the text is exactly mpf's text of a kernel that runs any program. These are the kernels
/// that fillKernelFolder compiles, and the table-driven ones for tables that are stored as bits.
bool runsAnyProgram(const std::string &source);

/// Compiles the kernels that run any model into a folder of kernels, for each architecture and
/// every element type. These are the table-driven kernels (codegen/emit/table_driven_source.h,
/// lanes/team_source.h), and those of slices and of runs from device memory
/// (runtime/execute/gpu/gpu_slice_kernels.h, gpu_device_runs.h). Returns their number. Kernels that
/// are in the folder stay. Throws as addCubins.
size_t fillKernelFolder(const std::string &folder, const std::vector<std::string> &archs);

} // namespace mpf::driver
