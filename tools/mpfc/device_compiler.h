// The compiler of CUDA text, as far as this build has one: two implementations, chosen by the build
// (MPF_ENABLE_CUDA), so that nothing else asks.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// PTX of one self-contained source. Throws Error(Device) when there is no NVRTC; when the text
/// does not compile Error(BadInput) if it is `foreign`, else Error(Internal).
std::string compileToPtx(const std::string &name, const std::string &source,
                         const std::string &arch, bool foreign);

/// Gives every kernel of the bundle its machine code for each architecture, through the kernel
/// cache; `dumpFolder`: for sources and logs, empty: none. Throws Error(Device) when there is no
/// NVRTC or it does not know an architecture.
void addCubins(Bundle &bundle, const std::vector<std::string> &archs,
               const std::string &dumpFolder);

} // namespace mpf::driver
