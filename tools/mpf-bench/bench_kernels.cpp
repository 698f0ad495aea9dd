#include "tools/mpf-bench/bench_kernels.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/print_kernel.h"
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "runtime/compile/kernel_store.h"
#include "tools/mpf-bench/bucket_run.h"
#include "tools/mpf-bench/bucket_shapes.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace mpf::bench {

namespace {

bool chosen(const std::vector<std::string> &names, const std::string &name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// What a result may differ from the long-double sum: rounding grows with the number of terms.
double tolerance(const KernelPlan &plan) {
  const double epsilon = plan.type == ElementType::F32 ? 6e-8 : 1.2e-16;
  return epsilon * (32 + static_cast<double>(plan.form.reducedAddresses()));
}

int benchOne(const CudaDevice &device, KernelStore &store, const BucketShape &shape,
             const KernelOptions &kernelOptions, const KernelBenchOptions &options) {
  const KernelPlan plan = buildKernel(digitFormOf(shape), kernelOptions);
  const std::string source = cudaSource(plan);
  const CompiledKernel kernel =
      store.compileAll({{plan.name, source, device.properties().arch}}).front();
  if (!options.dumpFolder.empty()) {
    const std::string type = plan.type == ElementType::F32 ? "f32" : "f64";
    const std::string form = plan.valueForm == ValueForm::Log ? "-log" : "";
    const std::string stem = fmt::format("{}/{}-{}{}", options.dumpFolder, shape.name, type, form);
    writeFileAtomically(stem + ".plan", printKernel(plan));
    writeFileAtomically(stem + ".cu", source);
    writeFileAtomically(stem + ".log", kernel.log);
  }
  BucketRun run(device, plan, kernel.cubin);
  const double error = run.worstError(options.checkedEntries);
  const bool wrong = !(error <= tolerance(plan));
  const double timeUs = run.medianUs(options.repeats);
  const double flops = flopsOf(plan.form), bytes = compulsoryBytes(plan.form, plan.type);
  const ResourceUsage usage = kernel.usage.empty() ? ResourceUsage{} : kernel.usage.front();
  fmt::print("{:<20} {} {:<6} {:<6} {:>10.1f} {:>10.1f} {:>10.1f} {:>6.2f} {:>8.2f} {:>8.2f} "
             "{:>4} {:>5} {:>8.1e} {}\n",
             shape.name, plan.type == ElementType::F32 ? "f32" : "f64",
             plan.valueForm == ValueForm::Log ? "log" : "linear",
             plan.family == Family::Tile ? "tile" : "stream", plan.floorUs, plan.predictedUs,
             timeUs, plan.floorUs / timeUs, flops / timeUs * 1e-6, bytes / timeUs * 1e-6,
             usage.registers, usage.spillStoreBytes, error, wrong ? "WRONG" : "ok");
  std::fflush(stdout);
  return wrong ? 1 : 0;
}

} // namespace

int benchKernels(const KernelBenchOptions &options) {
  const CudaDevice device;
  KernelStore store;
  if (!options.dumpFolder.empty())
    std::filesystem::create_directories(options.dumpFolder);
  fmt::print("# {} ({}), median of {} launches\n", device.properties().name,
             device.properties().arch, options.repeats);
  fmt::print("{:<20} {:<3} {:<6} {:<6} {:>10} {:>10} {:>10} {:>6} {:>8} {:>8} {:>4} {:>5} {:>8}\n",
             "bucket", "typ", "form", "family", "floor us", "model us", "time us", "frac",
             "TFLOP/s", "TB/s", "reg", "spill", "error");
  int wrong = 0;
  for (const BucketShape &shape : canonicalShapes())
    for (const std::string &type : options.types)
      for (const std::string &form : options.forms) {
        if (!chosen(options.shapes, shape.name))
          continue;
        KernelOptions kernelOptions;
        kernelOptions.target = targetNamed(device.properties().arch);
        kernelOptions.type = type == "f32" ? ElementType::F32 : ElementType::F64;
        kernelOptions.valueForm = form == "log" ? ValueForm::Log : ValueForm::Linear;
        wrong += benchOne(device, store, shape, kernelOptions, options);
      }
  return wrong;
}

} // namespace mpf::bench
