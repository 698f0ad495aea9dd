#include "tools/mpf-bench/measure/cublas.h"

#include "codegen/kernel/form/operand_grouping.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/check.h"
#include "tools/mpf-bench/shapes/bucket_values.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

namespace mpf::bench {

namespace {
constexpr uint64_t kLeastSide = 16;

using Create = int(void **handle);
using Destroy = int(void *handle);
using SetStream = int(void *handle, CudaStreamHandle stream);
template <class T>
using Gemm = int(void *handle, int turnA, int turnB, int m, int n, int k, const T *alpha,
                 const void *a, int lda, long long strideA, const void *b, int ldb,
                 long long strideB, const T *beta, void *c, int ldc, long long strideC, int count);

void *openLibrary() {
  if (const char *chosen = std::getenv("MPF_LIBCUBLAS"))
    return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
  for (const char *name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
    if (void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

void checkStatus(int status, const char *call) {
  if (status != 0)
    fail(ErrorKind::Device, "{} failed with status {}", call, status);
}

template <class T> T *pointer(CudaDevicePointer address) { return reinterpret_cast<T *>(address); }
} // namespace

std::optional<MatrixSize> matrixSizeOf(const BucketJob &job) {
  const Semiring semiring = job.semiring;
  if (job.valueForm != ValueForm::Linear || semiring.reduce != Reduce::Sum ||
      semiring.combine != Combine::Times)
    return {};
  const DigitForm form = digitFormOf(job.shape, semiring);
  const std::vector<OperandGrouping> splits = operandGroupings(form, 1);
  if (splits.empty() || splits.front().terms.empty())
    return {};
  const OperandGrouping &split = splits.front();
  const MatrixSize size = {fusedExtent(form, split.batch), fusedExtent(form, split.rows),
                           fusedExtent(form, split.columns), fusedExtent(form, split.terms)};
  const uint64_t greatest = std::max({size.batches, size.rows, size.columns, size.terms});
  if (std::min(size.rows, size.columns) < kLeastSide || greatest > INT32_MAX)
    return {};
  return size;
}

Cublas::Cublas(const CudaDevice &device) : device_(device), library_(openLibrary()) {
  if (library_ == nullptr)
    fail(ErrorKind::Device, "no cuBLAS: libcublas.so.13 cannot be opened (MPF_LIBCUBLAS names it)");
  checkStatus(function<Create>("cublasCreate_v2")(&handle_), "cublasCreate");
  checkStatus(function<SetStream>("cublasSetStream_v2")(handle_, device.stream()),
              "cublasSetStream");
}

Cublas::~Cublas() {
  if (handle_ != nullptr)
    function<Destroy>("cublasDestroy_v2")(handle_);
}

template <class Function> Function *Cublas::function(const char *name) const {
  auto *const found = reinterpret_cast<Function *>(dlsym(library_, name));
  if (found == nullptr)
    fail(ErrorKind::Device, "this cuBLAS has no {}", name);
  return found;
}

/// Fills operands with the entries of mpf's tables, because zeros would run faster.
void Cublas::fillOperands(uint64_t elems, ElementType type) {
  constexpr uint64_t kChunk = uint64_t{1} << 22;
  const uint64_t bytes = elementBytes(type);
  std::vector<double> chunk(std::min(elems, kChunk));
  for (uint64_t first = 0; first < elems; first += kChunk) {
    const uint64_t count = std::min(kChunk, elems - first);
    if (type == ElementType::F64)
      fillEntries(chunk.data(), first, count, ValueForm::Linear, 4);
    else
      fillEntries(reinterpret_cast<float *>(chunk.data()), first, count, ValueForm::Linear, 4);
    operands_.upload(chunk.data(), count * bytes, first * bytes);
    device_.synchronize();
  }
}

/// Column-major as BLAS has it; `turn`: the operand is stored transposed.
void Cublas::multiply(const MatrixSize &size, ElementType type, bool turnA, bool turnB) const {
  const auto m = static_cast<int>(size.rows), n = static_cast<int>(size.columns);
  const auto k = static_cast<int>(size.terms);
  const long long strideA = (long long)m * k, strideB = (long long)n * k;
  const CudaDevicePointer a = operands_.address();
  const CudaDevicePointer b =
      a + static_cast<uint64_t>(strideA) * size.batches * elementBytes(type);
  const auto run = [&]<class T>(const char *name, T) {
    const T one = 1, zero = 0;
    checkStatus(function<Gemm<T>>(name)(handle_, turnA, turnB, m, n, k, &one, pointer<void>(a),
                                        turnA ? k : m, strideA, pointer<void>(b), turnB ? n : k,
                                        strideB, &zero, pointer<void>(result_.address()), m,
                                        (long long)m * n, static_cast<int>(size.batches)),
                name);
  };
  if (type == ElementType::F64)
    run("cublasDgemmStridedBatched", 1.0);
  else
    run("cublasSgemmStridedBatched", 1.0F);
}

std::optional<double> Cublas::bestUs(const MatrixSize &size, ElementType type,
                                     const TimeWork &timeWork) {
  const uint64_t operands = size.batches * (size.rows + size.columns) * size.terms;
  const uint64_t result = size.batches * size.rows * size.columns;
  operands_ = DeviceMemory();
  result_ = DeviceMemory();
  if ((operands + result) * elementBytes(type) > device_.freeBytes() / 10 * 9)
    return {};
  operands_ = DeviceMemory(device_, operands * elementBytes(type));
  result_ = DeviceMemory(device_, result * elementBytes(type));
  fillOperands(operands, type);
  std::optional<double> best;
  for (const bool turnA : {false, true})
    for (const bool turnB : {false, true}) {
      const auto work = [&] { multiply(size, type, turnA, turnB); };
      work(); // cuBLAS chooses and loads its kernel
      device_.synchronize();
      const double timeUs = timeWork(work);
      best = std::min(best.value_or(timeUs), timeUs);
    }
  operands_ = DeviceMemory(); // the next bucket needs the room
  result_ = DeviceMemory();
  return best;
}

} // namespace mpf::bench
