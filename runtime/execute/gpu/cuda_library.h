// The functions of the CUDA driver that mpf calls, found in libcuda at run time.
#pragma once

#include "runtime/compile/dynamic_library.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace mpf {

using CudaContext = struct CudaContextOpaque *;
using CudaModuleHandle = struct CudaModuleOpaque *;
using CudaFunctionHandle = struct CudaFunctionOpaque *;
using CudaStreamHandle = struct CudaStreamOpaque *;
using CudaEventHandle = struct CudaEventOpaque *;
using CudaGraphHandle = struct CudaGraphOpaque *;
using CudaGraphExecHandle = struct CudaGraphExecOpaque *;
using CudaGraphNode = struct CudaGraphNodeOpaque *;
using CudaCondition = uint64_t; ///< CUgraphConditionalHandle
using CudaDevicePointer = uint64_t;

/// CUlaunchAttribute and CUlaunchConfig of cuda.h.
struct CudaLaunchAttribute {
  unsigned id = 0;
  char pad[4] = {};
  union {
    char bytes[64] = {};
    int flag;
  };
};
struct CudaLaunchConfig {
  unsigned gridX = 1, gridY = 1, gridZ = 1, blockX = 1, blockY = 1, blockZ = 1, sharedBytes = 0;
  CudaStreamHandle stream = nullptr;
  CudaLaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

/// CUgraphNodeParams of cuda.h, for a node that runs its one body if the condition is not 0.
struct CudaConditionalNode {
  int type = 13; ///< CU_GRAPH_NODE_TYPE_CONDITIONAL
  int reserved[3] = {};
  CudaCondition condition = 0;
  int kind = 0; ///< CU_GRAPH_COND_TYPE_IF
  unsigned bodyCount = 1;
  CudaGraphHandle *bodies = nullptr; ///< set by the driver when the node is made; owned by it
  CudaContext context = nullptr;
  char pad[208] = {};
};
static_assert(sizeof(CudaConditionalNode) == 256);

/// Result codes are ints; 0 is success. The driver is thread-safe.
struct CudaLibrary {
  DynamicLibrary library;
  std::string named; ///< value of $MPF_LIBCUDA; empty: not set
  /// One sentence if $MPF_LIBCUDA names a library that may not be opened, or if the opened library
  /// lacks functions.
  std::string fault;
  int (*init)(unsigned flags) = nullptr;
  int (*driverVersion)(int *version) = nullptr;
  int (*errorName)(int code, const char **name) = nullptr;
  int (*errorString)(int code, const char **text) = nullptr;
  int (*deviceCount)(int *count) = nullptr;
  int (*deviceGet)(int *device, int ordinal) = nullptr;
  int (*deviceName)(char *name, int bytes, int device) = nullptr;
  int (*deviceAttribute)(int *value, int attribute, int device) = nullptr;
  int (*contextRetain)(CudaContext *context, int device) = nullptr;
  int (*contextRelease)(int device) = nullptr;
  int (*contextSetCurrent)(CudaContext context) = nullptr;
  /// Null in drivers that lack one of these two.
  int (*contextGetCurrent)(CudaContext *context) = nullptr;
  int (*pointerAttribute)(void *value, int attribute, CudaDevicePointer pointer) = nullptr;
  int (*memoryInfo)(size_t *freeBytes, size_t *totalBytes) = nullptr;
  int (*memoryAlloc)(CudaDevicePointer *pointer, size_t bytes) = nullptr;
  int (*memoryFree)(CudaDevicePointer pointer) = nullptr;
  int (*copyToDevice)(CudaDevicePointer to, const void *from, size_t bytes,
                      CudaStreamHandle stream) = nullptr;
  int (*copyToHost)(void *to, CudaDevicePointer from, size_t bytes,
                    CudaStreamHandle stream) = nullptr;
  int (*copyOnDevice)(CudaDevicePointer to, CudaDevicePointer from, size_t bytes,
                      CudaStreamHandle stream) = nullptr;
  int (*setBytes)(CudaDevicePointer to, unsigned char value, size_t bytes,
                  CudaStreamHandle stream) = nullptr;
  int (*streamCreate)(CudaStreamHandle *stream, unsigned flags) = nullptr;
  int (*streamDestroy)(CudaStreamHandle stream) = nullptr;
  int (*streamSynchronize)(CudaStreamHandle stream) = nullptr;
  int (*eventCreate)(CudaEventHandle *event, unsigned flags) = nullptr;
  int (*eventDestroy)(CudaEventHandle event) = nullptr;
  int (*eventRecord)(CudaEventHandle event, CudaStreamHandle stream) = nullptr;
  int (*eventElapsed)(float *milliseconds, CudaEventHandle from, CudaEventHandle to) = nullptr;
  int (*moduleLoad)(CudaModuleHandle *module, const void *image) = nullptr;
  int (*moduleUnload)(CudaModuleHandle module) = nullptr;
  int (*moduleFunction)(CudaFunctionHandle *function, CudaModuleHandle module,
                        const char *name) = nullptr;
  int (*functionSetAttribute)(CudaFunctionHandle function, int attribute, int value) = nullptr;
  int (*launch)(CudaFunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,
                unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                CudaStreamHandle stream, void **arguments, void **extra) = nullptr;
  bool overlapsCopies = false; ///< the driver has the four functions that follow
  int (*streamWait)(CudaStreamHandle stream, CudaEventHandle event, unsigned flags) = nullptr;
  int (*eventSynchronize)(CudaEventHandle event) = nullptr;
  int (*hostAlloc)(void **memory, size_t bytes, unsigned flags) = nullptr;
  int (*hostFree)(void *memory) = nullptr;
  /// Null in drivers that lack one of these two.
  int (*hostRegister)(void *memory, size_t bytes, unsigned flags) = nullptr;
  int (*hostUnregister)(void *memory) = nullptr;
  bool recordsGraphs = false; ///< the driver has the six functions that follow
  int (*captureBegin)(CudaStreamHandle stream, int mode) = nullptr;
  int (*captureEnd)(CudaStreamHandle stream, CudaGraphHandle *graph) = nullptr;
  int (*graphInstantiate)(CudaGraphExecHandle *exec, CudaGraphHandle graph,
                          unsigned long long flags) = nullptr;
  int (*graphLaunch)(CudaGraphExecHandle exec, CudaStreamHandle stream) = nullptr;
  int (*graphDestroy)(CudaGraphHandle graph) = nullptr;
  int (*graphExecDestroy)(CudaGraphExecHandle exec) = nullptr;
  bool branchesGraphs = false; ///< the driver has the four functions that follow, of CUDA 12.3
  int (*captureInfo)(CudaStreamHandle stream, int *status, uint64_t *id, CudaGraphHandle *graph,
                     const CudaGraphNode **last, const void **edges, size_t *lastCount) = nullptr;
  int (*captureInto)(CudaStreamHandle stream, CudaGraphHandle graph, const CudaGraphNode *behind,
                     const void *edges, size_t behindCount, int mode) = nullptr;
  int (*conditionCreate)(CudaCondition *condition, CudaGraphHandle graph, CudaContext context,
                         unsigned initial, unsigned flags) = nullptr;
  int (*graphAddNode)(CudaGraphNode *node, CudaGraphHandle graph, const CudaGraphNode *behind,
                      const void *edges, size_t behindCount,
                      CudaConditionalNode *parameters) = nullptr;
  /// Returns the resident blocks of a multiprocessor; null in drivers that lack it.
  int (*residentBlocks)(int *blocks, CudaFunctionHandle function, int threads,
                        size_t sharedBytes) = nullptr;
  /// Null in drivers before CUDA 12.
  int (*launchWith)(const CudaLaunchConfig *config, CudaFunctionHandle function, void **arguments,
                    void **extra) = nullptr;
};

/// Opens libcuda.so.1, or the library that $MPF_LIBCUDA names. When it is missing or too old,
/// `library` of the result is not open.
CudaLibrary openCuda();

} // namespace mpf
