// Checks kernel texts that a user edited, with the program mpf-check-kernel beside mpfc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mpf::driver {

/// Returns the path of that program; empty if it was not built, or is not installed.
std::string findKernelChecker();

struct KernelVerdict {
  bool isSound = false;
  std::string text; ///< the findings or, if the text is sound, which kernels ran; whole lines
};

/// Checks one text. `name` names it in messages. Throws Error(TimeLimit) if the check takes longer
/// than `limit`. Throws Error(Device) with the reason if there is no checker, if it does not start,
/// or if there is no C++ compiler.
KernelVerdict checkKernelText(const std::string &name, std::string_view text,
                              std::chrono::milliseconds limit);

/// Checks the folder of --override-kernels before anything runs: every NAME.cu that differs from
/// mpf's text for its plan, and from mpf's kernels that run any program. The latter have no plan to
/// check against, so they cannot be edited. Prints the findings, or a note if there is no checker.
/// Throws Error(BadInput) if a text is not sound.
void checkOverridingKernels(const std::string &folder);

} // namespace mpf::driver
