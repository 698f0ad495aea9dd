#include "runtime/predict/missing_kernels.h"

#include "codegen/bundle/table_driven_time.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/machine/machine_identity.h"

namespace mpf {

double missingKernelsUs() {
  if (!driverMayFindGpu())
    return 0;
  const std::string shipped = DiskCache::shippedFolder();
  const bool areThere = DiskCache().holdsAny(CacheKind::Cubin) ||
                        (!shipped.empty() && DiskCache(shipped).holdsAny(CacheKind::Cubin));
  return areThere ? 0 : kTableCompileUs;
}

} // namespace mpf
