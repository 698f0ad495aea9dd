// Which operations get specialised kernels. Compiling one costs 0.1 to 0.4 s, so an operation is
// specialised only when that saves more than it costs over the runs to be expected; the others run
// on the table-driven kernels.
#pragma once

#include "codegen/bundle/table_driven_time.h"
#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/form/digit_form.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/kernel_plan.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/specialise/planned_kernels.h"
#include "codegen/specialise/specialise_options.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// The operation as its kernels see it: log-sum queries run as sums of tables that start in log
/// form.
DigitForm kernelForm(const TableProgram &program, OpId operation, bool mergeDigits = true);

/// The options with which kernels of a program in this type and arithmetic are planned; no
/// overrides.
KernelOptions kernelOptionsFor(const SpecialiseOptions &options, ElementType type, bool forcedLog);

/// Predicted device time, in microseconds, of an operation on the table-driven kernels, without the
/// launch that it shares with its level (level_launches.h): the greatest of three. These are the
/// loads of all entries at the rate of all multiprocessors, the bytes of all tables at the copy
/// limit, and the terms that one thread goes through one after another. The rates are those of
/// table_driven_time.h.
double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target);

/// Device time, in microseconds, that a kernel of an operation or of a chain is predicted to
/// take in a program, its launch included: what the choices compare and `mpfc explain` shows.
double ownKernelUs(const KernelHeader &kernel);

/// Whether compiling the kernel pays over the runs, for what takes so long without it.
bool deservesKernel(double tableDrivenUs, const KernelHeader &kernel, double expectedRuns);

/// One NVRTC compilation, measured: between 0.1 and 0.4 s.
inline constexpr double kKernelCompileUs = 200000;

/// Planning a kernel, measured: its candidates are ranked in some 20 ms, those of a chain in more.
inline constexpr double kKernelPlanUs = 20'000, kChainPlanUs = 60'000;

/// How an operation runs on a GPU: on the table-driven kernels, or on a specialised one.
struct KernelChoice {
  /// Predicted device time of the former, with its share of a launch (level_launches.h).
  double tableDrivenUs = 0;
  /// Whether the latter may run it at all (kernel_suitability.h).
  bool suitsKernels = false;
  /// The latter, where its level takes less with it, compiling included (level_launches.h).
  std::optional<KernelPlan> kernel;

  double timeUs() const { return kernel ? ownKernelUs(kernel->header()) : tableDrivenUs; }
};

/// One choice for each of `operations`: all that run, for they share their levels' launches.
/// `options` name target, element type and value form. No kernel is planned for an operation that
/// suits none (kernel_suitability.h), nor where even a kernel at no cost would not pay, over the
/// runs of its compilation or, for all operations of its shape together and if `planned` does not
/// know it, over those of its planning; the others as planKernels (planned_kernels.h) does. Which
/// of them have it is decided level by level (level_launches.h); over infinitely many runs all
/// have.
std::vector<KernelChoice> chooseKernels(const TableProgram &program,
                                        std::span<const OpId> operations,
                                        const KernelOptions &options, const KernelRuns &runs,
                                        unsigned threads = 0, PlannedKernels *planned = nullptr);

/// Predicted device time of a form as its operation will run. Its kernel goes to `planned`.
double storedUs(const DigitForm &form, const KernelOptions &options, double expectedRuns,
                PlannedKernels &planned);

/// Predicted device time of an operation on the table-driven kernels, by its costs alone.
double tableDrivenUs(const Operation &operation, const KernelOptions &options);

/// Whether an operation may get a specialised kernel, however its tables are stored.
bool mayHaveKernel(const Operation &operation, const KernelOptions &options, double expectedRuns);

/// Into how many splits the sum of an operation is best cut (kernel/build/choose_split_k.h): 1
/// where its results alone fill the device, or where two operations would not gain what they cost.
/// Kernels that were planned to find out go to `planned`.
uint32_t bestSplits(const TableProgram &program, OpId operation, const KernelOptions &options,
                    double expectedRuns, PlannedKernels &planned);

} // namespace mpf
