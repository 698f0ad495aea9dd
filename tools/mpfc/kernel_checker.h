// Texts of kernels that somebody edited, checked by mpf-check-kernel, a program beside mpfc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mpf::driver {

/// Where it is; empty in a build without the libraries of Clang 19.
std::string findKernelChecker();

struct KernelVerdict {
  bool isSound = false;
  std::string text; ///< findings or, of a sound text, what was run: whole lines
};

/// `name`: of the text, for messages. Throws Error(TimeLimit) when it takes longer, Error(Device)
/// when there is no checker or no C++ compiler.
KernelVerdict checkKernelText(const std::string &name, std::string_view text,
                              std::chrono::milliseconds limit);

/// For --override-kernels, before anything runs: every NAME.cu of the folder that is not the text
/// that mpf emits for its plan. Says what was found, and a note where there is no checker. Throws
/// Error(BadInput) when a text is not sound, is not called after its kernel, or when it or the
/// folder is not this user's or root's (trusted_path.h).
void checkOverridingKernels(const std::string &folder);

} // namespace mpf::driver
