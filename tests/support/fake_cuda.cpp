// A fake driver of a GPU: memory is the host's, launches do nothing. Thread-safe. These variables
// of the environment change it:
//   MPF_FAKE_CUDA=NUMBER:CODE    call NUMBER fails with CODE; NUMBER+: later calls too
//   MPF_FAKE_CUDA_COUNTS=FILE    gets, at the end, the numbers of calls and of objects in use
//   MPF_FAKE_CUDA_ECHO, _LOST    kernels of lanes and teams answer by codes (echoCodes)
//   MPF_FAKE_CUDA_LOG=FILE       gets a line for each call on a stream (STREAM is an address):
//     "launch STREAM", "overlapping STREAM" (a launch that may begin while earlier ones run),
//     "upload STREAM BYTES", "record STREAM EVENT", "wait STREAM EVENT external"
//     (fake_cuda_streams.h), "load 0" for each module, "context NUMBER" for each context of a GPU
//   MPF_FAKE_CUDA_KERNELS=FILE   gets the names of kernels that are launched or recorded
//   MPF_FAKE_CUDA_NO_EXTERNAL    recorded calls may not wait for events outside of the recording
//   MPF_FAKE_CUDA_SERIAL         cooperative launches may not overlap with the launch before
//   MPF_FAKE_CUDA_BRANCH         graphs take their branch; the log repeats its launches behind
//                                "graph STREAM", as "branch-launch STREAM"
//   MPF_FAKE_CUDA_NO_BRANCH      graphs have no branch (also if built with MPF_FAKE_CUDA_OLD)
//   MPF_FAKE_CUDA_SERIAL_BRANCH  branches have no overlapping launches
//   MPF_FAKE_CUDA_LAZY           overlapping launches are recorded only after one was launched
//   MPF_FAKE_CUDA_FULL           device memory is full; a number above 2: the error of allocations
//   MPF_FAKE_CUDA_GPUS=N         the machine has N GPUs (default: 1)
//   MPF_FAKE_CUDA_SLOW=N         the first context takes N ms
//   MPF_FAKE_CUDA_TIME           calls and copies take time (fake_cuda_time.h)
#include "tests/support/fake_cuda_kernels.h"
#include "tests/support/fake_cuda_streams.h"
#include "tests/support/fake_cuda_time.h"
#include "tests/support/fake_cuda_types.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace mpf::fake;

constexpr int kAttributeMajor = 75, kAttributeMinor = 76;
constexpr int kAttributeSmCount = 16, kAttributeCooperative = 95, kAttributeSharedOptIn = 97;
constexpr int kOutOfMemory = 2, kInvalidDevice = 101, kNotSupported = 801;
constexpr unsigned kLaunchCooperative = 2, kLaunchProgrammatic = 6;
constexpr size_t kMemoryBytes = size_t{1} << 30;

Timing timing;

struct Driver {
  std::atomic<unsigned long> calls{0};
  unsigned long chosen = 0;
  bool onwards = false;
  int code = 0;
  std::atomic<long> live{0}; ///< streams, events, modules, graphs, blocks of memory
  std::atomic<long> contexts{0};

  Driver() {
    if (const char *spec = std::getenv("MPF_FAKE_CUDA")) {
      char *end = nullptr;
      chosen = std::strtoul(spec, &end, 10);
      onwards = *end == '+';
      code = std::atoi(end + (onwards ? 2 : 1));
    }
    std::at_quick_exit(reportQuickExit);
  }
  ~Driver() { report(contexts); }
  static void reportQuickExit(); ///< one context may be left to the driver
  void report(long contextsLeft) const {
    const char *path = std::getenv("MPF_FAKE_CUDA_COUNTS");
    std::FILE *file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr)
      return;
    std::fprintf(file, "%lu %ld\n", calls.load(), live + contextsLeft);
    std::fclose(file);
  }
  int call(bool takesTime = true) {
    const unsigned long call = ++calls;
    if (takesTime)
      timing.call();
    return call == chosen || (onwards && call > chosen && chosen != 0) ? code : 0;
  }
};
Driver driver;

void Driver::reportQuickExit() { driver.report(driver.contexts > 1 ? driver.contexts - 1 : 0); }

/// Makes an object of `bytes` bytes; null if the call fails.
int make(void **into, size_t bytes) {
  if (const int code = driver.call())
    return code;
  *into = std::calloc(1, bytes == 0 ? 1 : bytes);
  if (*into == nullptr)
    return kOutOfMemory;
  if (timing.isOn())
    std::memset(*into, Timing::kFill, bytes);
  ++driver.live;
  return 0;
}

/// Frees an object even if the call fails, because callers do not try again.
int giveBack(void *what) {
  const int code = driver.call();
  std::free(what);
  --driver.live;
  return code;
}

Recording recording;

/// Notes a call on a stream.
int ordered(const char *what, const void *stream, const std::string &more = "") {
  note(what, stream, more);
  recording.put(stream);
  return driver.call();
}
std::string addressText(const void *what) { return std::to_string(addressOf(what)); }

/// A graph with at most one branch, whose body it owns.
struct Graph {
  std::vector<std::string> launches;
  Graph *body = nullptr;
  bool isBody = false;
  ~Graph() { delete body; }
};
Graph *recorded = nullptr; ///< receives the calls on streams

int launched(const char *how, const void *stream) {
  static bool isLoaded = std::getenv("MPF_FAKE_CUDA_LAZY") == nullptr;
  if (how == std::string("overlapping")) {
    isLoaded = isLoaded || recorded == nullptr;
    if (!isLoaded)
      return kNotSupported;
  }
  if (recorded != nullptr)
    recorded->launches.emplace_back(how);
  timing.launch(stream);
  return ordered(how, stream);
}

void copy(Engine engine, void *to, const void *from, size_t bytes, const void *stream) {
  timing.copy(engine, stream, bytes);
  if (!timing.isOn())
    std::memcpy(to, from, bytes);
}

int gpus() {
  const char *const text = std::getenv("MPF_FAKE_CUDA_GPUS");
  return text == nullptr ? 1 : std::atoi(text);
}

void *hostMemory(uint64_t pointer) { return reinterpret_cast<void *>(pointer); }

} // namespace

extern "C" {

int cuInit(unsigned) { return driver.call(); }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return driver.call();
}
int cuGetErrorName(int, const char **name) {
  *name = "CUDA_ERROR_INJECTED";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "injected";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = gpus();
  return driver.call();
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  const int code = driver.call();
  return code != 0 || ordinal < gpus() ? code : kInvalidDevice;
}
int cuDeviceGetName(char *name, int bytes, int device) {
  const std::string number = device == 0 ? "" : " " + std::to_string(device);
  std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU%s", number.c_str());
  return driver.call();
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == kAttributeMajor         ? 9
           : attribute == kAttributeMinor       ? 0
           : attribute == kAttributeSmCount     ? 132
           : attribute == kAttributeCooperative ? 1
           : attribute == kAttributeSharedOptIn ? 227 * 1024
                                                : 1;
  return driver.call();
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  note("context", reinterpret_cast<const void *>(static_cast<uintptr_t>(device)));
  if (const int code = driver.call())
    return code;
  const char *const slow = std::getenv("MPF_FAKE_CUDA_SLOW");
  if (slow != nullptr && driver.contexts == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(slow)));
  *context = &driver;
  ++driver.contexts;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --driver.contexts;
  return driver.call();
}
int cuCtxSetCurrent(void *) { return driver.call(false); }
int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = *total = kMemoryBytes;
  return driver.call();
}
int cuMemAlloc_v2(void **pointer, size_t bytes) {
  if (const char *full = std::getenv("MPF_FAKE_CUDA_FULL"))
    return std::max(std::atoi(full), kOutOfMemory);
  return make(pointer, bytes);
}
int cuMemFree_v2(uint64_t pointer) { return giveBack(hostMemory(pointer)); }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  copy(Engine::Up, hostMemory(to), from, bytes, stream);
  return ordered("upload", stream, std::to_string(bytes));
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  copy(Engine::Down, to, hostMemory(from), bytes, stream);
  return ordered("download", stream, std::to_string(bytes));
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  recording.put(stream);
  std::memmove(hostMemory(to), hostMemory(from), bytes);
  return driver.call();
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  recording.put(stream);
  std::memset(hostMemory(to), value, bytes);
  return driver.call();
}
int cuStreamCreate(void **stream, unsigned) { return make(stream, 1); }
int cuStreamDestroy_v2(void *stream) { return giveBack(stream); }
int cuStreamSynchronize(void *stream) {
  timing.sleepUntil(stream);
  return ordered("synchronize", stream);
}
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  note("wait", stream, addressText(event) + (flags == 1 ? " external" : ""));
  if (flags == 1 && std::getenv("MPF_FAKE_CUDA_NO_EXTERNAL") != nullptr)
    return kNotSupported;
  timing.wait(stream, event);
  const int code = recording.waitEvent(stream, event, flags == 1);
  return code != 0 ? code : driver.call();
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned) { return make(memory, bytes); }
int cuMemFreeHost(void *memory) { return giveBack(memory); }
int cuMemHostRegister_v2(void *, size_t, unsigned) {
  const int code = driver.call();
  driver.live += code == 0 ? 1 : 0;
  return code;
}
int cuMemHostUnregister(void *) {
  --driver.live;
  return driver.call();
}
int cuEventCreate(void **event, unsigned) { return make(event, 1); }
int cuEventDestroy_v2(void *event) { return giveBack(event); }
int cuEventRecord(void *event, void *stream) {
  note("record", stream, addressText(event));
  recording.recordEvent(event, stream);
  timing.record(event, stream);
  return driver.call();
}
int cuEventSynchronize(void *event) {
  timing.sleepUntil(event);
  return driver.call();
}
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.01F;
  return driver.call();
}
int cuModuleLoadData(void **module, const void *) {
  note("load", nullptr);
  return make(module, 1);
}
int cuModuleUnload(void *module) { return giveBack(module); }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = kernelNamed(name);
  return driver.call();
}
int cuFuncSetAttribute(void *, int, int) { return driver.call(); }
int cuLaunchKernel(void *function, unsigned blocks, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void *stream, void **arguments, void **) {
  noteKernel(function);
  if (std::getenv("MPF_FAKE_CUDA_ECHO") != nullptr)
    echo(function, arguments, blocks);
  return launched("launch", stream);
}
int cuLaunchKernelEx(const LaunchConfig *config, void *function, void **arguments, void **) {
  noteKernel(function);
  if (std::getenv("MPF_FAKE_CUDA_ECHO") != nullptr)
    echo(function, arguments, config->grid[0]);
  bool isCooperative = false, overlaps = false;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    isCooperative = isCooperative || config->attributes[i].id == kLaunchCooperative;
    overlaps = overlaps || config->attributes[i].id == kLaunchProgrammatic;
  }
  if (!isCooperative)
    return launched("overlapping", config->stream);
  if (overlaps && std::getenv("MPF_FAKE_CUDA_SERIAL") != nullptr)
    return kNotSupported;
  return launched(overlaps ? "cooperative" : "cooperative-serial", config->stream);
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *, int, size_t) {
  *blocks = 2;
  return driver.call();
}
int cuStreamBeginCapture_v2(void *stream, int) {
  if (const int code = driver.call())
    return code;
  recording.begin(stream);
  recorded = new Graph;
  return 0;
}
int cuStreamEndCapture(void *, void **graph) {
  const int unjoined = recording.end(), failed = driver.call();
  const int code = failed != 0 ? failed : unjoined;
  Graph *const ended = std::exchange(recorded, nullptr);
  if (code != 0 && !ended->isBody)
    delete ended;
  if (code != 0)
    return code;
  driver.live += ended->isBody ? 0 : 1;
  *graph = ended;
  return 0;
}
int cuGraphInstantiateWithFlags(void **exec, const Graph *graph, unsigned long long) {
  if (const int code = driver.call())
    return code;
  if (graph->body != nullptr && std::getenv("MPF_FAKE_CUDA_SERIAL_BRANCH") != nullptr &&
      std::count(graph->body->launches.begin(), graph->body->launches.end(), "overlapping") != 0)
    return kNotSupported;
  auto *const made = new Graph{graph->launches};
  if (graph->body != nullptr)
    made->body = new Graph{graph->body->launches};
  *exec = made;
  ++driver.live;
  return 0;
}
int cuGraphLaunch(const Graph *exec, void *stream) {
  const int code = ordered("graph", stream);
  if (exec->body != nullptr && std::getenv("MPF_FAKE_CUDA_BRANCH") != nullptr)
    for (const std::string &launch : exec->body->launches)
      note(("branch-" + launch).c_str(), stream);
  return code;
}
int cuGraphDestroy(Graph *graph) {
  delete graph;
  --driver.live;
  return driver.call();
}
int cuGraphExecDestroy(Graph *exec) { return cuGraphDestroy(exec); }
#ifndef MPF_FAKE_CUDA_OLD
int cuStreamGetCaptureInfo_v3(void *, int *status, uint64_t *, void **graph, void *const **last,
                              const void **, size_t *lastCount) {
  *status = 1;
  *graph = recorded;
  if (last != nullptr) {
    static void *node = &driver;
    *last = &node;
    *lastCount = 1;
  }
  return driver.call();
}
int cuGraphConditionalHandleCreate(uint64_t *condition, void *, void *, unsigned, unsigned) {
  *condition = 1;
  return driver.call();
}
int cuGraphAddNode_v2(void **node, Graph *graph, void *const *, const void *, size_t,
                      ConditionalNode *parameters) {
  if (std::getenv("MPF_FAKE_CUDA_NO_BRANCH") != nullptr)
    return kNotSupported;
  if (const int code = driver.call())
    return code;
  graph->body = new Graph;
  graph->body->isBody = true;
  parameters->bodies = &graph->body;
  *node = graph;
  return 0;
}
int cuStreamBeginCaptureToGraph(void *stream, Graph *graph, void *const *, const void *, size_t,
                                int) {
  if (const int code = ordered("branch", stream))
    return code;
  recording.begin(stream);
  recorded = graph;
  return 0;
}
#endif
}
