// Checks texts of kernels that a user edited, with mpf-check-kernel, a program beside mpfc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mpf::driver {

/// The path of that program; empty in a build without the libraries of Clang 19.
std::string findKernelChecker();

struct KernelVerdict {
  bool isSound = false;
  std::string text; ///< the findings or, if the text is sound, which kernels ran; whole lines
};

/// Checks one text. `name` names it in messages. Throws Error(TimeLimit) when the check takes
/// longer than `limit`, and Error(Device) when there is no checker or no C++ compiler.
KernelVerdict checkKernelText(const std::string &name, std::string_view text,
                              std::chrono::milliseconds limit);

/// For --override-kernels, before anything runs: checks every NAME.cu of the folder that differs
/// from the text that mpf emits for its plan, or for any program: the latter have no plan to be
/// checked by, so they cannot be edited. Prints the findings, or a note when there is no
/// checker. Throws Error(BadInput) when a text is not sound.
void checkOverridingKernels(const std::string &folder);

} // namespace mpf::driver
