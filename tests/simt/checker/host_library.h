// Program text -> shared object -> symbols, with the compiler that built the tests.
#pragma once

#include <string>

namespace mpf::simt {

/// Throws Error(Internal) with the compiler's output when the text does not compile.
class HostLibrary {
public:
  /// `flags` go to the compiler; nothing is optimised beyond -O1 unless they say so.
  HostLibrary(const std::string &source, const std::string &flags);
  ~HostLibrary();
  HostLibrary(const HostLibrary &) = delete;

  /// The address of a function that must exist.
  template <class Function> Function *function(const std::string &name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }

private:
  void *symbol(const std::string &name) const;
  void *library_ = nullptr;
};

} // namespace mpf::simt
