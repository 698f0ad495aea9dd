// Chooses the operations that get specialised kernels. Compiling one costs 0.1 to 0.4 s, so an
// operation is specialised only when that saves several times as much over the expected runs. The
// others run on the table-driven kernels.
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

/// Returns the form that an operation's kernels compute: log-sum queries run as sums of tables that
/// start in log form.
DigitForm kernelForm(const TableProgram &program, OpId operation, bool mergeDigits = true);

/// Returns the options with which kernels of a program in this type and arithmetic are planned; no
/// overrides.
KernelOptions kernelOptionsFor(const SpecialiseOptions &options, ElementType type, bool forcedLog);

/// Returns the predicted device time, in microseconds, of an operation on the table-driven kernels,
/// without the launch that it shares with its level (level_launches.h). It is the greatest of three
/// times:
/// - loads of all entries at the rate of all multiprocessors;
/// - bytes of all tables at the copy limit;
/// - terms that one thread goes through one after another.
///
/// The rates are those of table_driven_time.h.
double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target);

/// Returns the predicted device time, in microseconds, of a kernel of an operation or of a chain in
/// a program, its launch included. Choices compare it, and `mpfc explain` shows it.
double ownKernelUs(const KernelHeader &kernel);

/// Whether compiling the kernel pays over the runs, if its work takes `tableDrivenUs` without it.
bool deservesKernel(double tableDrivenUs, const KernelHeader &kernel, double expectedRuns);

/// Time of one NVRTC compilation; measured: between 0.1 and 0.4 s.
inline constexpr double kKernelCompileUs = 200000;
/// The least time that a kernel is predicted to save over all runs, else it is not compiled. So
/// compiling takes at most a fifth of what it saves: predictions err, and compiling comes first.
inline constexpr double kKernelGainUs = 5 * kKernelCompileUs;

/// Time of planning a kernel, measured: its candidates are ranked in some 20 ms, those of a chain
/// in more.
inline constexpr double kKernelPlanUs = 20'000, kChainPlanUs = 60'000;

/// The kernels that run an operation on a GPU: the table-driven ones, or a specialised one.
struct KernelChoice {
  /// Predicted device time on the table-driven kernels, with its share of a launch
  /// (level_launches.h).
  double tableDrivenUs = 0;
  /// Whether a specialised kernel may run it at all (kernel_suitability.h).
  bool suitsKernels = false;
  /// The specialised kernel, if its level takes less time with it, compiling included
  /// (level_launches.h).
  std::optional<KernelPlan> kernel;

  double timeUs() const { return kernel ? ownKernelUs(kernel->header()) : tableDrivenUs; }
};

/// Makes one choice for each of `operations`; these must be all that run, because they share their
/// levels' launches. `options` have the target, element type and value form.
///
/// No kernel is planned for an operation that suits none (kernel_suitability.h), nor if even a
/// kernel at no cost would not pay. It would have to pay over the runs of its compilation. If
/// `planned` does not know its shape, all operations of that shape must also pay for planning it,
/// over the runs of planning. The others are planned by planKernels (planned_kernels.h). The
/// operations that get their kernel are chosen level by level (level_launches.h); over infinitely
/// many runs all get one.
std::vector<KernelChoice> chooseKernels(const TableProgram &program,
                                        std::span<const OpId> operations,
                                        const KernelOptions &options, const KernelRuns &runs,
                                        unsigned threads = 0, PlannedKernels *planned = nullptr);

/// Returns the predicted device time of a form in the kernel that its operation will get, which
/// goes to `planned`.
double storedUs(const DigitForm &form, const KernelOptions &options, double expectedRuns,
                PlannedKernels &planned);

/// Returns the predicted device time of an operation on the table-driven kernels, from its costs
/// alone.
double tableDrivenUs(const Operation &operation, const KernelOptions &options);

/// Whether an operation may get a specialised kernel, for any storage of its tables.
bool mayHaveKernel(const Operation &operation, const KernelOptions &options, double expectedRuns);

/// Returns the best number of splits of an operation's sum (kernel/build/choose_split_k.h). It is 1
/// if the results alone fill the device, or if two operations would not gain what they cost.
/// Kernels that were planned to find out go to `planned`.
uint32_t bestSplits(const TableProgram &program, OpId operation, const KernelOptions &options,
                    double expectedRuns, PlannedKernels &planned);

} // namespace mpf
