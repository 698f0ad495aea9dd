// BUNDLE: all the runtime needs to run one query, as plain data: operations in digit form, kernels
// with their sources (and cubins, when built ahead), table values, the buffer plan with offsets.
// The runtime sees only this; parser and planner need not be there.
//
// build_bundle.h (codegen side) makes bundles, forms/program_file.h stores them as .mpfb files, and
// verify_bundle.h checks them before anything is run. Depends on dsl/support only.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "codegen/bundle/postsolve_map.h"
#include "dsl/support/counts.h"
#include "dsl/support/evidence.h"
#include "dsl/support/format_id.h"
#include "dsl/support/loop_tree.h"
#include "dsl/support/semiring.h"
#include "dsl/support/strided_operation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

inline constexpr uint32_t kBundleFormatVersion = 11;

/// Limits that executors build fixed-size arrays on; verifyBundle holds every bundle to them.
inline constexpr size_t kMaxBundleOperands = 8;
inline constexpr size_t kMaxBundleLoops = 64;  ///< loops of a sliced program
inline constexpr size_t kMaxBundleDigits = 64; ///< digits of extent 2 or more, per operation

/// A stretch of the arena. Offsets are fixed here, offline: nothing is allocated while running.
struct BundleBuffer {
  std::string name;
  uint64_t sizeElems = 0;
  uint64_t offsetBytes = 0; ///< multiple of tableAlignBytes; in the input or the work arena
  bool input = false;       ///< input arena: uploaded before a run and kept over runs
  /// An input of zeros and ones. A GPU keeps its bits (dsl/support/packed_table.h), and kernels
  /// read those. The arena of the CPU holds the entries themselves.
  bool packed = false;
};

/// Bytes of a buffer: its entries and, if tables may be signed, one byte +1 or -1 for each entry
/// behind them (used while the table is in log form). Saturates at UINT64_MAX.
constexpr uint64_t bufferBytes(uint64_t sizeElems, ElementType type, bool signedValues) {
  return saturatingMul(sizeElems, elementBytes(type) + (signedValues ? 1 : 0));
}

/// An input table: a factor's values, restricted to the observed states, permuted to `layout`.
struct BundleInput {
  BufferId buffer;
  std::string factor;
  std::vector<VarId> scope; ///< axes of the factor's values as given, last variable fastest
  /// Unobserved variables of scope, most significant first; those of extent 1 may be missing.
  std::vector<VarId> layout;
  std::optional<uint32_t> table; ///< index into Bundle::tables; none: bound by the host program
  bool raw = false;      ///< a table that the program made, stored unchanged: no scope, no layout
  uint64_t rowElems = 0; ///< row of a conditional table, which sums to 1; else 0
};

struct BundleAccess {
  BufferId buffer;
  std::vector<uint64_t> stridesElems; ///< one per digit, 0 when absent
  /// Inputs of a sliced program: the entries by which one step of each loop moves the access.
  /// Empty if the buffer is the same in all slices.
  std::vector<uint64_t> sliceStridesElems;
};

/// One operation on buffers.
struct BundleOperation : StridedOperation<StridedDigit, BundleAccess> {
  std::string name;
  /// The loop it runs in (Bundle::sliced), counted from 1; 0: once per run.
  uint32_t loop = 0;
  /// result = operand in the loop's first iteration, then reduced with the operand in each further
  /// one. One operand of the result's layout, no reduced digit.
  bool accumulates = false;
  std::optional<uint32_t> kernel; ///< index into Bundle::kernels; none: table-driven on the GPU too
};

/// Consecutive operations that a GPU may do in one launch: each takes the result of the one before,
/// which nothing else reads. The kernel has the operands of chain_tables.h, and the result of the
/// last operation. An executor without such a kernel runs the operations one by one. It also does
/// so if it may not use linear arithmetic for all of them.
struct BundleChain {
  uint32_t first = 0, count = 0; ///< into Bundle::operations
  uint32_t message = 0;          ///< operand of the first operation that flows through
  uint32_t kernel = 0;           ///< index into Bundle::kernels
};

struct BundleCubin {
  std::string arch;     ///< "sm_90"
  std::string contents; ///< the compiled image
};

/// How a kernel was chosen by measuring, on one device.
struct KernelTuning {
  uint32_t candidates = 0; ///< measured kernels, this one and the model's choice among them
  double timeUs = 0;       ///< measured time of this kernel
  double modelUs = 0;      ///< measured time of the cost model's choice
};

/// A specialised kernel; several operations or chains of equal shape share one.
struct BundleKernel {
  std::string name;   ///< entry point
  std::string plan;   ///< the printed kernel plan; the `source` of a bundle from a file
                      ///< must be what the emitter makes of it (specialise/verify_kernels.h)
  std::string source; ///< CUDA text, self-contained
  uint64_t gridBlocks = 1;
  uint32_t blockThreads = 1;
  uint32_t sharedBytes = 0;
  std::vector<BundleCubin> cubins;
  std::optional<KernelTuning> tuning; ///< none: the cost model's choice
  /// The time predicted by the cost model, without that of an empty launch; 0: unknown, as for
  /// table-driven kernels.
  double predictedUs = 0;
};

/// Other kernels for the work of number `kernel` of Bundle::kernels, the most promising first.
/// Autotune chooses among them by measuring. They are not part of a bundle: the choice ends them.
struct TuningCandidates {
  uint32_t kernel = 0;
  std::vector<BundleKernel> candidates;
};

struct BundleOutput : HeadOutput {
  BufferId buffer;
  std::vector<VarId> layout; ///< as stored, most significant first: a permutation of the scope
  /// Normalised: the number of first variables of `scope` for each joint state of which the entries
  /// sum to 1. 0: all entries do.
  uint32_t rowVariables = 0;
};

/// A table that decoding reads. Variables that have no state yet are open (open_variables.h): they
/// have their best states.
struct BundleDecoded {
  BufferId buffer;
  std::vector<VarId> layout;
};
using BundleTraceback = DecodingStep<BundleDecoded>;

struct Bundle : ProgramHead {
  bool forcedLog = false;    ///< every table in log form from the start
  bool logInputs = false;    ///< input values are natural logs (logsum queries)
  bool signedValues = false; ///< some product may be negative: log tables carry a sign plane
  /// Each as StoredValues (dsl/support/wide_table.h) reads it, with the elements of its inputs.
  std::vector<std::shared_ptr<const std::vector<double>>> tables;
  std::vector<BundleInput> inputs;
  std::vector<BundleBuffer> buffers;
  /// Variables conditioned on, by loop; without a traceback several may be over one variable.
  /// Operations of a loop and of those inside it are contiguous: they run once for every state.
  std::vector<VarId> sliced;
  LoopTree loops; ///< the loop of each variable in `sliced`, in its order
  /// Returns, by loop, how often its operations run in one run.
  std::vector<double> loopRuns() const {
    return loops.runs([this](uint32_t loop) { return variables[sliced[loop - 1].index()].extent; });
  }
  std::vector<BundleOperation> operations; ///< in execution order
  std::vector<BundleChain> chains;         ///< ascending; no operation is in two
  std::vector<BundleKernel> kernels;
  /// The table-driven kernels (tier 0) among `kernels`: one fixed source per element type, run from
  /// operation tables; launch shapes are the executor's. None: this bundle is for the CPU only.
  std::optional<uint32_t> tableDriven;
  /// True if the kernels come from a file and are not verified: no GPU may run them. Not part of a
  /// file: reading sets it; adoptKernels (codegen/specialise/verify_kernels.h) or the user's
  /// permission clears it.
  bool foreignKernels = false;
  /// The reason, in one sentence, why the bundle has no GPU kernels: a GPU was wanted, and failed
  /// while the bundle was compiled. Not part of a file.
  std::string gpuFault;
  std::vector<BundleOutput> outputs;
  std::vector<BundleTraceback> traceback;
  /// Turns the bundle's answer into the one asked for, if the bundle answers a simplified problem.
  /// Inputs with values are final then, and so are the findings that the map calls fixed.
  std::optional<PostsolveMap> answer;
  uint64_t inputArenaBytes = 0;
  uint64_t workArenaBytes = 0;

  /// The evidence as the user declared it.
  const Evidence &declaredEvidence() const { return answer ? answer->evidence : evidence; }
  const BundleBuffer &buffer(BufferId id) const { return buffers[id.index()]; }
  /// Some input is packed.
  bool packs() const {
    return std::any_of(buffers.begin(), buffers.end(),
                       [](const BundleBuffer &buffer) { return buffer.packed; });
  }
};

} // namespace mpf
