// Values and results stay in the memory of a GPU. A run takes its place on the host program's CUDA
// stream, between the work that makes its values and the work that uses its results. The host waits
// for neither.
#include <mpf/mpf.h>

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static const std::string kModel = R"(
  var x : 2
  var y : 3
  factor f(x, y) = input
  factor g(y) = [1, 10, 100]
  query q(x) = sum(y) f * g
)";

/// Memory of the GPU, freed at the end.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t elems) : elems_(elems) { check(cudaMalloc(&data_, bytes())); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  static void check(cudaError_t status) {
    if (status != cudaSuccess)
      throw mpf::Error(mpf::ErrorKind::Device, cudaGetErrorString(status));
  }

  uint64_t address() const { return reinterpret_cast<uint64_t>(data_); }
  void upload(const std::vector<T> &from, cudaStream_t stream) {
    check(cudaMemcpyAsync(data_, from.data(), bytes(), cudaMemcpyHostToDevice, stream));
  }
  void download(std::vector<T> &to, cudaStream_t stream) const {
    to.resize(elems_);
    check(cudaMemcpyAsync(to.data(), data_, bytes(), cudaMemcpyDeviceToHost, stream));
  }

private:
  size_t bytes() const { return elems_ * sizeof(T); }

  T *data_ = nullptr;
  size_t elems_;
};

static void runOnTheDevice() {
  mpf::CompileOptions compile;
  compile.device = "gpu";
  const mpf::Program program = mpf::compileText(kModel, compile);
  mpf::SessionOptions options;
  options.device = "gpu";
  mpf::Session session(program, options);
  const mpf::DeviceRunLayout layout = session.deviceLayout({"f"});
  const mpf::DeviceRunLayout::Table &q = layout.tables.front();

  DeviceArray<double> values(layout.factors.front().sizeElems), results(layout.resultElems);
  DeviceArray<int32_t> exponents(layout.tables.size());
  mpf::DeviceRun run;
  run.values = {values.address()};
  run.results = results.address();
  run.exponents = exponents.address();

  cudaStream_t stream = nullptr;
  DeviceArray<double>::check(cudaStreamCreate(&stream));
  for (int round = 1; round <= 2; ++round) {
    const double a = round;
    // Here kernels of the host program would write values, and others would read results.
    const std::vector<double> f = {a, 2 * a, 3 * a, 4 * a, 5 * a, 6 * a};
    values.upload(f, stream);
    session.runOnDevice(run, stream);
    std::vector<double> mantissas;
    std::vector<int32_t> powers;
    results.download(mantissas, stream);
    exponents.download(powers, stream);
    DeviceArray<double>::check(cudaStreamSynchronize(stream)); // for printing alone
    for (uint64_t i = 0; i < q.sizeElems; ++i)
      std::printf("%s(x = %d) = %g\n", q.name.c_str(), static_cast<int>(i),
                  std::ldexp(mantissas[q.firstElem + i], powers.front()));
  }
  DeviceArray<double>::check(cudaStreamDestroy(stream));
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("there is no GPU\n");
    return 5;
  }
  try {
    runOnTheDevice();
  } catch (const mpf::Error &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 0;
}
