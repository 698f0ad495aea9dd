#include "runtime/compile/cache_key.h"

namespace mpf {

Hash128 cacheKey(const CompileRequest &request, const std::vector<std::string> &options,
                 const std::string &compilerVersion) {
  HashBuilder hash;
  hash.add(kCacheFormat).add(request.source).add(request.arch).add(compilerVersion);
  hash.add(uint64_t{options.size()});
  for (const std::string &option : options)
    hash.add(option);
  return hash.finish();
}

} // namespace mpf
