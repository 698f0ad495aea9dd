// Compiles a C++ text with the system's compiler and loads the result.
#pragma once

#include "runtime/compile/dynamic_library.h"

#include <string>

namespace mpf::simt {

/// Owns the loaded code. The compiler runs as a separate process with a time limit.
class HostLibrary {
public:
  /// Throws Error(BadInput) with the compiler's messages when the text does not compile,
  /// Error(Device) when there is no compiler (findCppCompiler) or it takes too long. Compiles
  /// without optimisation: optimising would take longer than running the code.
  explicit HostLibrary(const std::string &source);

  /// Returns the address of a function that must exist.
  template <class Function> Function *function(const std::string &name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }

private:
  void *symbol(const std::string &name) const;
  DynamicLibrary library_;
};

} // namespace mpf::simt
