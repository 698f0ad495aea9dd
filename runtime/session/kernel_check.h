// Checks the kernels of a loaded bundle with the compiler, in programs that link the compiler. This
// is the only call from the runtime library to the compiler.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>

/// Calls adoptKernels (codegen/specialise/verify_kernels.h), which throws Error(BadInput). mpf::jit
/// defines it and links it into every program that uses mpf::jit. In programs that link only
/// mpf::runtime its address is null (session.cpp). It has C linkage because CMakeLists.txt names
/// it.
extern "C" void mpfAdoptKernels(mpf::Bundle &bundle, const std::string &file);
