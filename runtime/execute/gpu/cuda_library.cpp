#include "runtime/execute/gpu/cuda_library.h"

namespace mpf {

CudaLibrary openCuda() {
  CudaLibrary cuda;
  const LibraryChoice choice = chooseLibrary("MPF_LIBCUDA", {"libcuda.so.1", "libcuda.so"});
  cuda.fault = choice.fault;
  cuda.named = choice.named;
  cuda.library = DynamicLibrary::openFirst(choice.candidates);
  const DynamicLibrary &library = cuda.library;
  const bool complete = library.isOpen() && library.bind("cuInit", cuda.init) &&
                        library.bind("cuDriverGetVersion", cuda.driverVersion) &&
                        library.bind("cuGetErrorName", cuda.errorName) &&
                        library.bind("cuGetErrorString", cuda.errorString) &&
                        library.bind("cuDeviceGetCount", cuda.deviceCount) &&
                        library.bind("cuDeviceGet", cuda.deviceGet) &&
                        library.bind("cuDeviceGetName", cuda.deviceName) &&
                        library.bind("cuDeviceGetAttribute", cuda.deviceAttribute) &&
                        library.bind("cuDevicePrimaryCtxRetain", cuda.contextRetain) &&
                        library.bind("cuDevicePrimaryCtxRelease_v2", cuda.contextRelease) &&
                        library.bind("cuCtxSetCurrent", cuda.contextSetCurrent) &&
                        library.bind("cuMemGetInfo_v2", cuda.memoryInfo) &&
                        library.bind("cuMemAlloc_v2", cuda.memoryAlloc) &&
                        library.bind("cuMemFree_v2", cuda.memoryFree) &&
                        library.bind("cuMemcpyHtoDAsync_v2", cuda.copyToDevice) &&
                        library.bind("cuMemcpyDtoHAsync_v2", cuda.copyToHost) &&
                        library.bind("cuMemcpyDtoDAsync_v2", cuda.copyOnDevice) &&
                        library.bind("cuMemsetD8Async", cuda.setBytes) &&
                        library.bind("cuStreamCreate", cuda.streamCreate) &&
                        library.bind("cuStreamDestroy_v2", cuda.streamDestroy) &&
                        library.bind("cuStreamSynchronize", cuda.streamSynchronize) &&
                        library.bind("cuEventCreate", cuda.eventCreate) &&
                        library.bind("cuEventDestroy_v2", cuda.eventDestroy) &&
                        library.bind("cuEventRecord", cuda.eventRecord) &&
                        library.bind("cuEventElapsedTime", cuda.eventElapsed) &&
                        library.bind("cuModuleLoadData", cuda.moduleLoad) &&
                        library.bind("cuModuleUnload", cuda.moduleUnload) &&
                        library.bind("cuModuleGetFunction", cuda.moduleFunction) &&
                        library.bind("cuFuncSetAttribute", cuda.functionSetAttribute) &&
                        library.bind("cuLaunchKernel", cuda.launch);
  // Without these functions launches neither overlap nor are recorded, and graphs have no branches.
  if (library.isOpen()) {
    library.bind("cuCtxGetCurrent", cuda.contextGetCurrent);
    library.bind("cuPointerGetAttribute", cuda.pointerAttribute);
    library.bind("cuLaunchKernelEx", cuda.launchWith);
    library.bind("cuOccupancyMaxActiveBlocksPerMultiprocessor", cuda.residentBlocks);
    cuda.overlapsCopies = library.bind("cuStreamWaitEvent", cuda.streamWait) &&
                          library.bind("cuEventSynchronize", cuda.eventSynchronize) &&
                          library.bind("cuMemHostAlloc", cuda.hostAlloc) &&
                          library.bind("cuMemFreeHost", cuda.hostFree);
    if (!library.bind("cuMemHostUnregister", cuda.hostUnregister) ||
        !library.bind("cuMemHostRegister_v2", cuda.hostRegister))
      cuda.hostRegister = nullptr;
    cuda.recordsGraphs = library.bind("cuStreamBeginCapture_v2", cuda.captureBegin) &&
                         library.bind("cuStreamEndCapture", cuda.captureEnd) &&
                         library.bind("cuGraphInstantiateWithFlags", cuda.graphInstantiate) &&
                         library.bind("cuGraphLaunch", cuda.graphLaunch) &&
                         library.bind("cuGraphDestroy", cuda.graphDestroy) &&
                         library.bind("cuGraphExecDestroy", cuda.graphExecDestroy);
    cuda.branchesGraphs = cuda.recordsGraphs &&
                          library.bind("cuStreamGetCaptureInfo_v3", cuda.captureInfo) &&
                          library.bind("cuStreamBeginCaptureToGraph", cuda.captureInto) &&
                          library.bind("cuGraphConditionalHandleCreate", cuda.conditionCreate) &&
                          library.bind("cuGraphAddNode_v2", cuda.graphAddNode);
  }
  if (library.isOpen() && !complete) {
    cuda.fault = "the CUDA driver is too old, for it lacks functions that mpf calls: install a "
                 "newer one, or run with --device cpu";
    cuda.library = DynamicLibrary();
  }
  return cuda;
}

} // namespace mpf
