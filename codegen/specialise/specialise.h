// Which operations get kernels of their own, and those kernels. Compiling one costs 0.1 to 0.4 s,
// so an operation is specialised only when that saves more than it costs over the runs to be
// expected; the others run on the table-driven kernels.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/build/build_kernel.h"
#include "codegen/kernel/form/digit_form.h"
#include "codegen/kernel/form/target.h"

#include <functional>
#include <optional>
#include <span>

namespace mpf {

/// Called with a bundle that is complete, and with candidates of some of its kernels: may put
/// others that do the same in the place of kernels.
using KernelTuner = std::function<void(Bundle &, std::span<const TuningCandidates>)>;

struct SpecialiseOptions {
  Target target;
  /// Runs over which a compilation pays. The disk cache keeps kernels, so the default counts on
  /// coming back to a model; infinity specialises everything.
  double expectedRuns = 100;
  size_t candidates = 0;  ///< at most, of each kernel, for the tuner (tuning_candidates.h)
  KernelTuner tuner = {}; ///< empty: every kernel is the cost model's choice
  unsigned threads = 0;   ///< that plan kernels; 0: one per core
  /// Asked once, before the planner first stores a table otherwise for the GPU's sake, which the
  /// CPU gains nothing by. Empty: there is a GPU.
  std::function<bool()> hasGpu = {};
};

/// The operation as its kernels see it: log-sum queries run as sums of tables that start in log
/// form.
DigitForm kernelForm(const TableProgram &program, OpId operation, bool mergeDigits = true);

/// Of a program in this type and arithmetic; no overrides.
KernelOptions kernelOptionsFor(const SpecialiseOptions &options, ElementType type, bool forcedLog);

/// Predicted device time of an operation on the table-driven kernels.
double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target);

/// One NVRTC compilation, measured: between 0.1 and 0.4 s.
inline constexpr double kKernelCompileUs = 200000;

/// How an operation runs on a GPU: on the table-driven kernels, or on one of its own.
struct KernelChoice {
  double tableDrivenUs = 0;         ///< predicted device time of the former
  std::optional<KernelPlan> kernel; ///< the latter, where it saves more than compiling it takes

  double timeUs() const { return kernel ? kernel->predictedUs : tableDrivenUs; }
};

/// A kernel as the bundle holds it.
BundleKernel bundleKernel(std::string name, std::string plan, std::string source,
                          const LaunchShape &launch);

/// One choice for each of `operations`. `options` name target, element type and value form. None is
/// planned where even a kernel at no cost would not pay; the others as planKernels (form_shape.h)
/// does.
std::vector<KernelChoice> chooseKernels(const TableProgram &program,
                                        std::span<const OpId> operations,
                                        const KernelOptions &options, double expectedRuns,
                                        unsigned threads = 0);

/// Predicted device time of a form as its operation will run.
double storedUs(const DigitForm &form, const KernelOptions &options, double expectedRuns);

/// Whether an operation may get a kernel of its own, however its tables are stored.
bool mayHaveKernel(const Operation &operation, const KernelOptions &options, double expectedRuns);

/// Into how many parts the sum of an operation is best cut (kernel/split_k_form.h): 1 where its
/// results alone fill the device, or where two operations would not gain what they cost.
uint32_t bestParts(const TableProgram &program, OpId operation, const KernelOptions &options,
                   double expectedRuns);

/// Specialised kernels load up to 16 bytes at once: a slice must start where that is allowed.
bool slicesAreAligned(const BundleOperation &operation, ElementType type);

/// Makes a bundle ready for any GPU: all its operations run on the table-driven kernels.
void addTableDrivenKernels(Bundle &bundle);

/// Makes a bundle ready for a GPU: the table-driven kernels, and kernels of their own for the
/// operations and chains that deserve them; those of equal shape share one. `program` is the one
/// the bundle was built from. Sources are self-contained CUDA text for the target.
void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options);

} // namespace mpf
