// A shared library opened at run time, so that one mpf binary works with and without CUDA.
#pragma once

#include <string>
#include <vector>

namespace mpf {

/// Owns one dlopen handle. Movable; several threads may use it once it is open.
class DynamicLibrary {
public:
  DynamicLibrary() = default;
  ~DynamicLibrary();
  DynamicLibrary(DynamicLibrary &&other) noexcept;
  DynamicLibrary &operator=(DynamicLibrary &&other) noexcept;

  /// Opens the first of `candidates` (names or paths) that loads; !isOpen() when none does.
  static DynamicLibrary openFirst(const std::vector<std::string> &candidates);

  /// Opens an image in memory; throws Error(Device) when the loader refuses it. Keeps no file open.
  /// The destructor unloads it: its functions must not be running then, nor be called later.
  static DynamicLibrary fromImage(const std::string &image);

  bool isOpen() const { return handle_ != nullptr; }
  const std::string &name() const { return name_; }
  /// Address of a symbol, or null.
  void *symbol(const char *symbolName) const;
  /// Sets `function` to a symbol; sets it to null and returns false when there is no such symbol.
  template <class Function> bool bind(const char *symbolName, Function &function) const {
    function = reinterpret_cast<Function>(symbol(symbolName));
    return function != nullptr;
  }

private:
  void *handle_ = nullptr;
  std::string name_;
};

/// The libraries to try.
struct LibraryChoice {
  std::vector<std::string> candidates; ///< for DynamicLibrary::openFirst
  std::string named;                   ///< the value of `variable`; empty: it is not set
  std::string fault; ///< one sentence when `variable` names a path that others can write to
};

/// Returns the library that the environment variable `variable` names, else `usual`. A path that
/// other users can write to is no candidate. A plain name is not checked: the loader looks for it
/// in its own folders.
LibraryChoice chooseLibrary(const char *variable, const std::vector<std::string> &usual);

} // namespace mpf
