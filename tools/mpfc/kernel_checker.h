// Checks texts of kernels that a user edited, with mpf-check-kernel, a program beside mpfc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mpf::driver {

/// The path of that program; empty where it was not built, or is not installed.
std::string findKernelChecker();

struct KernelVerdict {
  bool isSound = false;
  std::string text; ///< the findings or, if the text is sound, which kernels ran; whole lines
};

/// Checks one text. `name` names it in messages. Throws Error(TimeLimit) when the check takes
/// longer than `limit`, and Error(Device), which says why, when there is no checker, when it does
/// not start, and when there is no C++ compiler.
KernelVerdict checkKernelText(const std::string &name, std::string_view text,
                              std::chrono::milliseconds limit);

/// For --override-kernels, before anything runs: checks every NAME.cu of the folder that differs
/// from the text that mpf emits for its plan, or for any program: the latter have no plan to be
/// checked by, so they cannot be edited. Prints the findings, or a note when there is no
/// checker. Throws Error(BadInput) when a text is not sound.
void checkOverridingKernels(const std::string &folder);

} // namespace mpf::driver
