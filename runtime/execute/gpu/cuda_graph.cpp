#include "runtime/execute/gpu/cuda_graph.h"

#include "dsl/support/error.h"

namespace mpf {

namespace {
constexpr int kOnlyThisThread = 1; ///< what other threads do meanwhile is no part of it

/// Ends the recording whatever happens.
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

  CudaGraphHandle end() {
    open_ = false;
    device_.check(device_.driver().captureEnd(device_.stream(), &graph_), "cuStreamEndCapture");
    return graph_;
  }

private:
  const CudaDevice &device_;
  CudaGraphHandle graph_ = nullptr;
  bool open_ = true;
};
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

CudaGraph::~CudaGraph() {
  if (exec_)
    device_.driver().graphExecDestroy(exec_);
}

void CudaGraph::launch() const {
  device_.check(device_.driver().graphLaunch(exec_, device_.stream()), "cuGraphLaunch");
}

} // namespace mpf
