// .mpfb file -> Bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/section.h"
#include "dsl/support/error.h"

#include <string>
#include <string_view>

namespace mpf {

inline constexpr uint64_t kMaxBundleBytes = uint64_t{256} << 30; ///< of a file

/// Reads and verifies (verifyBundle). Throws Error(BadInput) with the place and both numbers for
/// anything that is not a whole, undamaged bundle of this version. It allocates at most
/// kMaxUnpackFactor (section.h) times the size of the file. GPU kernels in it are foreign
/// (Bundle::foreignKernels).
/// `file` is the contents of a bundle; nothing refers to it afterwards.
Bundle parseBundle(std::string_view file);
/// The same of a file whose head was read.
Bundle parseBundle(SectionReader &reader);
/// The same for a file; Error(BadInput) also if it cannot be read.
Bundle readBundle(const std::string &path);

/// Returns the result of `read`. Errors that do not name the file get its name in front.
template <class Read> auto namingFile(const std::string &path, const Read &read) {
  try {
    return read();
  } catch (const Error &error) {
    const std::string what = error.what();
    if (what.find(path) != std::string::npos)
      throw;
    throw Error(error.kind(), path + ": " + what);
  }
}

} // namespace mpf
