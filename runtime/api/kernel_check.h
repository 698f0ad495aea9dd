// Where the compiler is linked, what holds the kernels of a loaded bundle against it: the one call
// from sessions, which see bundles only, to the compiler's side.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>

/// adoptKernels (codegen/specialise/verify_kernels.h), which throws Error(BadInput). Of mpf::jit,
/// which links it into every program of its own; null in those that have mpf::runtime alone
/// (session.cpp). Without the linker's decoration, since CMakeLists.txt names it.
extern "C" void mpfAdoptKernels(mpf::Bundle &bundle, const std::string &file);
