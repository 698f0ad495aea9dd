#include "runtime/execute/gpu/cuda_library.h"

#include <cstdlib>

namespace mpf {

namespace {

template <class Function>
bool bind(const DynamicLibrary &library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(library.symbol(name));
  return function != nullptr;
}

} // namespace

CudaLibrary openCuda() {
  CudaLibrary cuda;
  const char *chosen = std::getenv("MPF_LIBCUDA");
  cuda.library = DynamicLibrary::openFirst(
      chosen && *chosen ? std::vector<std::string>{chosen}
                        : std::vector<std::string>{"libcuda.so.1", "libcuda.so"});
  const DynamicLibrary &library = cuda.library;
  const bool complete = library.isOpen() && bind(library, "cuInit", cuda.init) &&
                        bind(library, "cuDriverGetVersion", cuda.driverVersion) &&
                        bind(library, "cuGetErrorName", cuda.errorName) &&
                        bind(library, "cuGetErrorString", cuda.errorString) &&
                        bind(library, "cuDeviceGetCount", cuda.deviceCount) &&
                        bind(library, "cuDeviceGet", cuda.deviceGet) &&
                        bind(library, "cuDeviceGetName", cuda.deviceName) &&
                        bind(library, "cuDeviceGetAttribute", cuda.deviceAttribute) &&
                        bind(library, "cuDevicePrimaryCtxRetain", cuda.contextRetain) &&
                        bind(library, "cuDevicePrimaryCtxRelease_v2", cuda.contextRelease) &&
                        bind(library, "cuCtxSetCurrent", cuda.contextSetCurrent) &&
                        bind(library, "cuMemGetInfo_v2", cuda.memoryInfo) &&
                        bind(library, "cuMemAlloc_v2", cuda.memoryAlloc) &&
                        bind(library, "cuMemFree_v2", cuda.memoryFree) &&
                        bind(library, "cuMemcpyHtoDAsync_v2", cuda.copyToDevice) &&
                        bind(library, "cuMemcpyDtoHAsync_v2", cuda.copyToHost) &&
                        bind(library, "cuMemcpyDtoDAsync_v2", cuda.copyOnDevice) &&
                        bind(library, "cuMemsetD8Async", cuda.setBytes) &&
                        bind(library, "cuStreamCreate", cuda.streamCreate) &&
                        bind(library, "cuStreamDestroy_v2", cuda.streamDestroy) &&
                        bind(library, "cuStreamSynchronize", cuda.streamSynchronize) &&
                        bind(library, "cuEventCreate", cuda.eventCreate) &&
                        bind(library, "cuEventDestroy_v2", cuda.eventDestroy) &&
                        bind(library, "cuEventRecord", cuda.eventRecord) &&
                        bind(library, "cuEventElapsedTime", cuda.eventElapsed) &&
                        bind(library, "cuModuleLoadData", cuda.moduleLoad) &&
                        bind(library, "cuModuleUnload", cuda.moduleUnload) &&
                        bind(library, "cuModuleGetFunction", cuda.moduleFunction) &&
                        bind(library, "cuFuncSetAttribute", cuda.functionSetAttribute) &&
                        bind(library, "cuLaunchKernel", cuda.launch);
  if (!complete)
    cuda.library = DynamicLibrary();
  return cuda;
}

} // namespace mpf
