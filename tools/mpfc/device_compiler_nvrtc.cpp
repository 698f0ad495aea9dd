#include "dsl/support/check.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tools/mpfc/device_compiler.h"

namespace mpf::driver {

std::string compileToPtx(const std::string &name, const std::string &source,
                         const std::string &arch, bool foreign) {
  return NvrtcCompiler().compileToPtx({name, source, arch, foreign});
}

void addCubins(Bundle &bundle, const std::vector<std::string> &archs,
               const std::string &dumpFolder) {
  std::vector<CompileRequest> requests;
  for (const BundleKernel &kernel : bundle.kernels)
    for (const std::string &arch : archs)
      requests.push_back({kernel.name, kernel.source, arch});
  KernelStoreOptions store;
  store.dumpFolder = dumpFolder;
  const std::vector<CompiledKernel> compiled =
      KernelStore(openNvrtcCompiler, std::move(store)).compileAll(requests);
  MPF_CHECK(compiled.size() == requests.size(), "{} kernels compiled of {}", compiled.size(),
            requests.size());
  size_t next = 0;
  for (BundleKernel &kernel : bundle.kernels)
    for (const std::string &arch : archs)
      kernel.cubins.push_back({arch, compiled[next++].cubin});
}

} // namespace mpf::driver
