// The key of a compiled kernel in the cache: a hash of everything that its code depends on.
#pragma once

#include "dsl/support/hash.h"
#include "runtime/compile/compiler.h"

#include <string>
#include <vector>

namespace mpf {

/// To be increased when the cache's file format or the meaning of a key changes.
inline constexpr uint64_t kCacheFormat = 1;

/// Returns the hash of cache format, source, architecture, options and compiler version, each with
/// its length. The request's name is not hashed, so that equal kernels share an entry. PTX is not
/// hashed, because NVRTC does not promise to produce equal PTX again.
Hash128 cacheKey(const CompileRequest &request, const std::vector<std::string> &options,
                 const std::string &compilerVersion);

} // namespace mpf
