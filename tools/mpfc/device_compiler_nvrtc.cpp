#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/table_driven_source.h"
#include "dsl/support/check.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"
#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"
#include "runtime/execute/gpu/runs/gpu_device_runs.h"
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

namespace {

/// Calls visit(name, source) for each kernel that runs any program.
template <class Visit> void forEachCommonKernel(const Visit &visit) {
  for (const ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::U64, ElementType::U128}) {
    visit(tableDrivenName(type, false), tableDrivenSource(type, false));
    visit(sliceKernelName(type), sliceKernelSource(type));
  }
  visit(rowTurnerName(), rowTurnerSource());
  visit(caseArraysName(), caseArraysSource());
  for (const ElementType type : {ElementType::F64, ElementType::F32}) {
    visit(teamKernelName(type), teamSource(type));
    visit(deviceRunName(type), deviceRunSource(type));
    visit(guardName(type), guardSource(type));
  }
}

} // namespace

bool runsAnyProgram(const std::string &source) {
  bool runs = false;
  forEachCommonKernel(
      [&](const std::string &, const std::string &common) { runs |= common == source; });
  for (const ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::U64, ElementType::U128})
    runs |= tableDrivenSource(type, true) == source;
  return runs;
}

size_t fillKernelFolder(const std::string &folder, const std::vector<std::string> &archs) {
  std::vector<CompileRequest> requests;
  forEachCommonKernel([&](const std::string &name, const std::string &source) {
    for (const std::string &arch : archs)
      requests.push_back({name, source, arch});
  });
  KernelStoreOptions store;
  store.cacheFolder = folder;
  return KernelStore(openNvrtcCompiler, std::move(store)).compileAll(requests).size();
}

} // namespace mpf::driver
