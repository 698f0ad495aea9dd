// bench_cpu: times single operations on the CPU executor. Matrix products are compared with
// OpenBLAS, sums of logarithms with a plain loop.
//
// usage: bench_cpu [THREADS]       one line per shape; ratios compare things measured in one run
//        bench_cpu blas N...       products of N cubed, one thread, beside OpenBLAS of that size
//        bench_cpu scale THREADS   time of one thread over that of THREADS
#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/build_schedule.h"
#include "tools/mpf-bench/log_loop.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fmt/core.h>
#include <functional>
#include <span>

namespace {

using namespace mpf;

/// One operation over digits a, b, c, ...: each table is the string of its digits, e.g.
/// "ik,kj->ij".
struct Shape {
  const char *name;
  std::vector<std::pair<char, uint64_t>> digits;
  std::vector<const char *> operands;
  const char *result;
  Reduce reduce = Reduce::Sum;
  bool forcedLog = false;
};

uint64_t extentOf(const Shape &shape, char digit) {
  for (const auto &[name, extent] : shape.digits)
    if (name == digit)
      return extent;
  fail(ErrorKind::Internal, "no digit {}", digit);
}

uint64_t addresses(const Shape &shape) {
  uint64_t count = 1;
  for (const auto &[name, extent] : shape.digits)
    count *= extent;
  return count;
}

BundleAccess accessTo(const Shape &shape, BufferId buffer, std::string_view scope) {
  BundleAccess access{buffer, {}};
  for (const auto &[name, extent] : shape.digits) {
    uint64_t stride = 1;
    const size_t at = scope.find(name);
    for (size_t i = at + 1; at != scope.npos && i < scope.size(); ++i)
      stride *= extentOf(shape, scope[i]);
    access.stridesElems.push_back(at == scope.npos ? 0 : stride);
  }
  return access;
}

Bundle bundleOf(const Shape &shape, ElementType type) {
  Bundle bundle;
  bundle.type = type;
  bundle.forcedLog = shape.forcedLog;
  BundleOperation operation;
  operation.name = shape.name;
  operation.semiring = {shape.reduce, Combine::Times};
  for (const auto &[name, extent] : shape.digits)
    operation.digits.push_back(
        {extent, std::string_view(shape.result).find(name) == std::string_view::npos});
  const auto addBuffer = [&](std::string_view scope, bool input) {
    uint64_t elems = 1;
    for (const char digit : scope)
      elems *= extentOf(shape, digit);
    uint64_t &arena = input ? bundle.inputArenaBytes : bundle.workArenaBytes;
    bundle.buffers.push_back({std::string(scope), elems, arena, input});
    const uint64_t bytes = bufferBytes(elems, type, false);
    arena += roundUp(bytes, 256);
    return BufferId(bundle.buffers.size() - 1);
  };
  for (const char *scope : shape.operands) {
    const BufferId buffer = addBuffer(scope, true);
    operation.operands.push_back(accessTo(shape, buffer, scope));
    BundleInput input{buffer, scope, {}, {}, std::nullopt};
    for (const char digit : std::string_view(scope)) {
      bundle.variables.push_back(
          {std::string(1, digit), static_cast<uint32_t>(extentOf(shape, digit)), {}});
      input.scope.push_back(VarId(bundle.variables.size() - 1));
    }
    input.layout = input.scope;
    bundle.inputs.push_back(std::move(input));
  }
  operation.result = accessTo(shape, addBuffer(shape.result, false), shape.result);
  bundle.operations.push_back(std::move(operation));
  return bundle;
}

/// Returns the least time of a few runs, in seconds.
double bestOf(const std::function<void()> &run, bool processorTime = true) {
  double best = 1e30;
  for (int i = 0; i < 15; ++i) {
    const double start = bench::clockSeconds(processorTime);
    run();
    best = std::min(best, bench::clockSeconds(processorTime) - start);
  }
  return best;
}

void bindValues(const Bundle &bundle, Executor &executor) {
  for (const BundleInput &input : bundle.inputs) {
    std::vector<double> values(bundle.buffer(input.buffer).sizeElems);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = 0.5 + static_cast<double>(i * 2654435761U % 1024) / 1024;
    executor.setInput(input.buffer, bindInput(bundle, input, values, bundle.evidence,
                                              executor.inputMemory(input.buffer)));
  }
}

double timeShape(const Shape &shape, ElementType type, unsigned threads, std::string &path) {
  const Bundle bundle = bundleOf(shape, type);
  const auto executor = makeCpuExecutor(bundle, {threads});
  bindValues(bundle, *executor);
  const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
  const double seconds = bestOf([&] { executor->run(schedule.steps, {true, 0}); }, threads == 1);
  path = executor->profile().front().path;
  if (executor->profile().front().log)
    path += ", log";
  return seconds;
}

/// Returns the GFLOP/s of OpenBLAS for n cubed; 0 if it is not installed.
template <class T> double openBlas(int n) {
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (library == nullptr)
    return 0;
  using Gemm =
      void (*)(int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *, int);
  const auto gemm =
      reinterpret_cast<Gemm>(dlsym(library, sizeof(T) == 8 ? "cblas_dgemm" : "cblas_sgemm"));
  const auto setThreads =
      reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (gemm == nullptr || setThreads == nullptr)
    return 0;
  setThreads(1);
  const auto size = static_cast<size_t>(n) * static_cast<size_t>(n);
  std::vector<T> a(size, T(0.5)), b(size, T(0.5)), c(size);
  constexpr int kRowMajor = 101, kNoTranspose = 111;
  const double seconds = bestOf([&] {
    gemm(kRowMajor, kNoTranspose, kNoTranspose, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(),
         n);
  });
  return 2.0 * n * n * n / seconds / 1e9;
}

/// Returns the seconds of the plain loop for n cubed, on logarithms of the values of timeShape.
template <class T> double plainLogs(size_t n) {
  std::vector<T> f(n * n), g(n * n), out(n * n);
  for (size_t i = 0; i < f.size(); ++i)
    f[i] = g[i] = std::log(T(0.5) + static_cast<T>(i * 2654435761U % 1024) / 1024);
  return bestOf([&] { bench::logLoop(n, f.data(), g.data(), out.data()); });
}

std::vector<Shape> shapes() {
  return {
      {"matrix product 512", {{'i', 512}, {'j', 512}, {'k', 512}}, {"ik", "kj"}, "ij"},
      {"matrix product 512, both transposed",
       {{'i', 512}, {'j', 512}, {'k', 512}},
       {"ki", "jk"},
       "ji"},
      {"three factors, k folded in", {{'i', 512}, {'j', 512}, {'k', 512}}, {"ik", "kj", "k"}, "ij"},
      {"max-product 512", {{'i', 512}, {'j', 512}, {'k', 512}}, {"ik", "kj"}, "ij", Reduce::Max},
      {"batched 64 x 64 x 64 x 64",
       {{'b', 64}, {'i', 64}, {'j', 64}, {'k', 64}},
       {"bik", "bkj"},
       "bij"},
      {"binary reduction, 2 operands",
       {{'a', 1024}, {'b', 512}, {'i', 8}, {'k', 2}},
       {"abik", "bik"},
       "abi"},
      {"triangle 128",
       {{'x', 128}, {'y', 128}, {'z', 128}, {'k', 32}},
       {"xyk", "yzk", "xzk"},
       "xyz"},
      {"stream, sum the last", {{'a', 1 << 20}, {'k', 16}}, {"ak"}, "a"},
      {"stream, sum the first", {{'k', 16}, {'a', 1 << 20}}, {"ka"}, "a"},
      {"logs: matrix product 128",
       {{'i', 128}, {'j', 128}, {'k', 128}},
       {"ik", "kj"},
       "ij",
       Reduce::Sum,
       true},
      {"logs: matrix product 512",
       {{'i', 512}, {'j', 512}, {'k', 512}},
       {"ik", "kj"},
       "ij",
       Reduce::Sum,
       true},
      {"logs: triangle 128",
       {{'x', 128}, {'y', 128}, {'z', 128}, {'k', 32}},
       {"xyk", "yzk", "xzk"},
       "xyz",
       Reduce::Sum,
       true},
  };
}

const char *nameOf(ElementType type) { return type == ElementType::F64 ? "f64" : "f32"; }

/// Times a product by mpf and by OpenBLAS, one after the other, for each size.
void compareWithBlas(std::span<char *> sizes) {
  for (const char *text : sizes)
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      const auto n = static_cast<uint64_t>(std::strtoul(text, nullptr, 10));
      const Shape shape{"product", {{'i', n}, {'j', n}, {'k', n}}, {"ik", "kj"}, "ij"};
      std::string path;
      const double seconds = timeShape(shape, type, 1, path);
      const double blas = type == ElementType::F64 ? openBlas<double>(static_cast<int>(n))
                                                   : openBlas<float>(static_cast<int>(n));
      const double rate = 2.0 * static_cast<double>(addresses(shape)) / seconds / 1e9;
      fmt::print("{:>5} cubed {}  {:>7.1f} GF/s  OpenBLAS {:>7.1f} GF/s  {:.2f} of it\n", n,
                 nameOf(type), rate, blas, blas > 0 ? rate / blas : 0.0);
    }
}

/// Compares the least times of many runs that take turns, so that other work on the machine
/// disturbs the ratio least. The second ratio uses processor time: it is that of an idle machine.
void compareThreads(unsigned threads) {
  constexpr double kSeconds = 2;
  for (const Shape &shape : shapes())
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      const Bundle bundle = bundleOf(shape, type);
      const auto one = makeCpuExecutor(bundle, {1}), more = makeCpuExecutor(bundle, {threads});
      const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
      bindValues(bundle, *one);
      bindValues(bundle, *more);
      double bestOne = 1e30, bestMore = 1e30, busyOne = 0, busyMore = 0;
      const auto time = [&](Executor &executor, double &busy) {
        const double start = bench::clockSeconds(false);
        const std::clock_t startBusy = std::clock(); // of all threads
        executor.run(schedule.steps, {false, 0});
        busy += static_cast<double>(std::clock() - startBusy);
        return bench::clockSeconds(false) - start;
      };
      for (const double start = bench::clockSeconds(false);
           bench::clockSeconds(false) - start < kSeconds;) {
        bestOne = std::min(bestOne, time(*one, busyOne));
        bestMore = std::min(bestMore, time(*more, busyMore));
      }
      fmt::print("{:36} {} {:>9.1f} us {:>9.1f} us  {:.2f}, {:.2f}\n", shape.name, nameOf(type),
                 bestOne * 1e6, bestMore * 1e6, bestOne / bestMore, threads * busyOne / busyMore);
    }
}

} // namespace

int main(int argc, char **argv) {
  const std::span<char *> arguments(argv + 1, static_cast<size_t>(argc - 1));
  if (argc > 2 && std::string_view(argv[1]) == "blas") {
    compareWithBlas(arguments.subspan(1));
    return 0;
  }
  if (argc > 2 && std::string_view(argv[1]) == "scale") {
    compareThreads(static_cast<unsigned>(std::atoi(argv[2])));
    return 0;
  }
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const double blas64 = openBlas<double>(512), blas32 = openBlas<float>(512);
  fmt::print("OpenBLAS 512, one thread: f64 {:.1f} GF/s, f32 {:.1f} GF/s\n", blas64, blas32);
  fmt::print("plain loop over logs 128: f64 {:.1f} us, f32 {:.1f} us\n",
             plainLogs<double>(128) * 1e6, plainLogs<float>(128) * 1e6);
  for (const Shape &shape : shapes())
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      std::string path;
      const double seconds = timeShape(shape, type, threads, path);
      const double flops =
          static_cast<double>(addresses(shape)) * static_cast<double>(shape.operands.size());
      const double blas = type == ElementType::F64 ? blas64 : blas32;
      fmt::print("{:36} {} {:>9.1f} us {:>7.2f} GF/s {:>6.2f} ns/address  {:.2f} of OpenBLAS  {}\n",
                 shape.name, nameOf(type), seconds * 1e6, flops / seconds / 1e9,
                 seconds / static_cast<double>(addresses(shape)) * 1e9,
                 blas > 0 ? flops / seconds / 1e9 / blas : 0.0, path);
    }
  return 0;
}
