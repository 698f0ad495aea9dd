// A shared library opened at run time: one mpf binary serves machines with and without CUDA.
#pragma once

#include "runtime/compile/memory_file.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Owns one dlopen handle for the life of the process object. Movable; safe to share once opened.
class DynamicLibrary {
public:
  DynamicLibrary() = default;
  ~DynamicLibrary();
  DynamicLibrary(DynamicLibrary &&other) noexcept;
  DynamicLibrary &operator=(DynamicLibrary &&other) noexcept;

  /// Opens the first of `candidates` (names or paths) that loads; !isOpen() when none does.
  static DynamicLibrary openFirst(const std::vector<std::string> &candidates);

  /// Opens an image in memory; throws Error(Device) when the loader refuses it. Unloaded with the
  /// object: nothing of it may be running or be called then.
  static DynamicLibrary fromImage(const std::string &image);

  bool isOpen() const { return handle_ != nullptr; }
  const std::string &name() const { return name_; }
  /// Address of a symbol, or null.
  void *symbol(const char *symbolName) const;
  /// Points `function` at a symbol; false (and null) when the library has none of that name.
  template <class Function> bool bind(const char *symbolName, Function &function) const {
    function = reinterpret_cast<Function>(symbol(symbolName));
    return function != nullptr;
  }

private:
  void *handle_ = nullptr;
  /// The file of a library that was loaded from an image: open as long as the library is loaded, or
  /// its name would be reused.
  std::optional<MemoryFile> image_;
  std::string name_;
};

/// Which library is opened: what a variable of the environment names instead of the usual ones.
struct LibraryChoice {
  std::vector<std::string> candidates; ///< paths that others can write to are none
  std::string fault; ///< in one sentence, where the variable names such a path; else empty
};

/// Plain names are the loader's business, who looks for them in its own places.
LibraryChoice chooseLibrary(const char *variable, const std::vector<std::string> &usual);

} // namespace mpf
