// What a cached cubin depends on, in one place.
#pragma once

#include "dsl/support/hash.h"
#include "runtime/compile/compiler.h"

#include <string>
#include <vector>

namespace mpf {

/// Bumped when the cache's file format or the meaning of a key changes.
inline constexpr uint64_t kCacheFormat = 1;

/// Hash of (cache format, source, architecture, options, compiler version), every part with its
/// length. The request's name is not part of it: equal shapes share a kernel. Our source is
/// hashed, never PTX, which NVRTC does not promise to be stable.
Hash128 cacheKey(const CompileRequest &request, const std::vector<std::string> &options,
                 const std::string &compilerVersion);

} // namespace mpf
