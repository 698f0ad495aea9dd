// Which operations get kernels of their own, and those kernels. Compiling one costs 0.1 to 0.4 s,
// so an operation is specialised only when that saves more than it costs over the runs to be
// expected; the others run on the table-driven kernels.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/digit_form.h"
#include "codegen/kernel/target.h"

namespace mpf {

struct SpecialiseOptions {
  Target target;
  /// Runs over which a compilation pays. The disk cache keeps kernels, so the default counts on
  /// coming back to a model; infinity specialises everything.
  double expectedRuns = 100;
};

/// Predicted device time of an operation on the table-driven kernels.
double tableDrivenUs(const DigitForm &form, ElementType type, const Target &target);

/// Makes a bundle ready for any GPU: all its operations run on the table-driven kernels.
void addTableDrivenKernels(Bundle &bundle);

/// Makes a bundle ready for a GPU: the table-driven kernels, and kernels of their own for the
/// operations that deserve them; operations of equal shape share one. `program` is the one the
/// bundle was built from. Sources are self-contained CUDA text for the target.
void addGpuKernels(Bundle &bundle, const TableProgram &program, const SpecialiseOptions &options);

} // namespace mpf
