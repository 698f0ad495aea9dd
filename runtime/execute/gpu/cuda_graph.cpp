#include "runtime/execute/gpu/cuda_graph.h"

#include "dsl/support/check.h"

#include <vector>

namespace mpf {

namespace {
constexpr int kOnlyThisThread = 1; ///< calls of other threads are not recorded

/// A recording of a graph, which the destructor ends in any case.
class Recording {
public:
  explicit Recording(const CudaDevice &device) : device_(device) {
    device.check(device.driver().captureBegin(device.stream(), kOnlyThisThread),
                 "cuStreamBeginCapture");
  }
  ~Recording() {
    if (open_)
      device_.driver().captureEnd(device_.stream(), &graph_);
    if (graph_)
      device_.driver().graphDestroy(graph_);
  }
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  /// Returns a condition that the recorded launches may set.
  CudaCondition makeCondition() const {
    CudaGraphHandle graph = nullptr;
    info(&graph, nullptr, nullptr);
    CudaCondition condition = 0;
    device_.check(device_.driver().conditionCreate(&condition, graph, device_.context(), 0, 0),
                  "cuGraphConditionalHandleCreate");
    return condition;
  }

  /// Returns the nodes behind which the next recorded work would begin.
  std::vector<CudaGraphNode> lastNodes() const {
    CudaGraphHandle graph = nullptr;
    const CudaGraphNode *nodes = nullptr; // owned by the driver
    size_t count = 0;
    info(&graph, &nodes, &count);
    return {nodes, nodes + count};
  }

  CudaGraphHandle end() {
    open_ = false;
    device_.check(device_.driver().captureEnd(device_.stream(), &graph_), "cuStreamEndCapture");
    return graph_;
  }

private:
  void info(CudaGraphHandle *graph, const CudaGraphNode **last, size_t *lastCount) const {
    int status = 0;
    device_.check(device_.driver().captureInfo(device_.stream(), &status, nullptr, graph, last,
                                               nullptr, lastCount),
                  "cuStreamGetCaptureInfo");
  }

  const CudaDevice &device_;
  CudaGraphHandle graph_ = nullptr;
  bool open_ = true;
};

/// Records into the body of a node, a graph that another graph owns.
void recordInto(const CudaDevice &device, CudaGraphHandle body,
                const std::function<void()> &launches) {
  device.check(
      device.driver().captureInto(device.stream(), body, nullptr, nullptr, 0, kOnlyThisThread),
      "cuStreamBeginCaptureToGraph");
  CudaGraphHandle recorded = nullptr;
  try {
    launches();
  } catch (...) {
    device.driver().captureEnd(device.stream(), &recorded);
    throw;
  }
  device.check(device.driver().captureEnd(device.stream(), &recorded), "cuStreamEndCapture");
}
} // namespace

CudaGraph::CudaGraph(const CudaDevice &device, const std::function<void()> &launches)
    : device_(device) {
  if (!device.driver().recordsGraphs)
    fail(ErrorKind::Device, "the CUDA driver records no graphs");
  Recording recording(device);
  launches();
  device.check(device.driver().graphInstantiate(&exec_, recording.end(), 0),
               "cuGraphInstantiateWithFlags");
}

CudaGraph::CudaGraph(const CudaDevice &device, const std::function<void(CudaCondition)> &launches,
                     const std::function<void()> &branch)
    : device_(device) {
  if (!branches(device))
    fail(ErrorKind::Device, "the CUDA driver knows no conditions in graphs");
  Recording recording(device);
  CudaConditionalNode node;
  node.condition = recording.makeCondition();
  node.context = device.context();
  launches(node.condition);
  const std::vector<CudaGraphNode> last = recording.lastNodes();
  const CudaGraphHandle graph = recording.end();
  CudaGraphNode made = nullptr;
  device.check(device.driver().graphAddNode(&made, graph, last.data(), nullptr, last.size(), &node),
               "cuGraphAddNode");
  recordInto(device, node.bodies[0], branch);
  device.check(device.driver().graphInstantiate(&exec_, graph, 0), "cuGraphInstantiateWithFlags");
}

CudaGraph::~CudaGraph() {
  if (exec_)
    device_.driver().graphExecDestroy(exec_);
}

void CudaGraph::launch() const {
  device_.check(device_.driver().graphLaunch(exec_, device_.stream()), "cuGraphLaunch");
}

} // namespace mpf
