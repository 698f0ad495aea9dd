// EXPLANATION: everything `mpfc explain` knows about a query before it runs, as plain data. Made by
// explain_query.h; print_text.h, print_html.h and print_json.h show it and decide nothing.
//
// Nothing here depends on the clock or addresses, and of the machine only on its memory and, for
// the kernels that the CPU would have compiled, its instruction set: elsewhere the same model and
// options give the same bytes. Times are predictions in microseconds.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// The query's network as declared, before anything is simplified.
struct NetworkFacts {
  size_t variables = 0;
  size_t observed = 0;
  size_t single = 0;     ///< variables of extent 1: they carry no information
  size_t components = 0; ///< connected parts of the unobserved variables
  std::vector<std::pair<uint32_t, size_t>> domains; ///< (extent, variables of it), ascending
  double log2States = 0;                            ///< joint states of all variables
  size_t factors = 0;
  size_t unboundFactors = 0; ///< values come from the host program
  size_t edges = 0;          ///< pairs of unobserved variables that share a factor
  size_t largestDegree = 0;
  size_t degeneracy = 0;     ///< a lower bound on the induced width of any order
  std::string largestFactor; ///< of the most variables, the first of them
  size_t largestScope = 0;
  uint64_t entries = 0; ///< of all tables with values
  uint64_t zeroEntries = 0;
  uint64_t tableBytes = 0; ///< in the element type of the run
};

/// What one pass left behind. Rows of one table have equal columns.
struct PassRow {
  std::string pass;
  std::vector<std::string> values;
  bool changed = true;
};

/// Passes over the network (simplification) or over the plan.
struct PassTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<PassRow> rows;
  bool differences = false; ///< rows between the first and the last say what changed, not what is
};

/// One operation of the table program.
struct BucketFacts {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::string name;                  ///< of its result: "m12"
  std::vector<std::string> operands; ///< table names
  std::vector<std::string> reduced;  ///< eliminated here
  size_t variables = 0;              ///< in its bucket: kept and reduced
  uint32_t parent = kNone; ///< upward: who reads the message; downward: whose bucket it belongs to
  bool downward = false;   ///< made for marginals, after the message upward
  double addresses = 0;    ///< of one slice; may pass 2^64 when the plan is refused
  double entries = 0;      ///< of the result, one slice
  double runs = 1;         ///< slices that it is computed for; times are of all of them together
  double loads = 0;        ///< operand entries combined: addresses * operands * runs
  double cpuUs = 0;
  double gpuUs = 0;               ///< the way it would go: table-driven or on a kernel of its own
  bool specialisedKernel = false; ///< on the GPU
  bool cpuCompiled = false;       ///< on the CPU
  double floorBytesUs = 0;        ///< every table moved once at the copy limit
  double floorArithmeticUs = 0;   ///< operations at the peak rate
  double costUs = 0;              ///< on the device that the run would take; colours the tree
};

/// Consecutive buckets that may run as one kernel (codegen/plan/passes/pass_find_chains.h). Their
/// gpuUs share the kernel's time where it is worth compiling.
struct ChainFacts {
  uint32_t first = 0, count = 0; ///< buckets
  double messageEntries = 0;     ///< that flow in, one slice
  double aloneUs = 0;            ///< the buckets one by one; times are of all slices together
  double chainUs = 0;            ///< 0: not as one kernel
  std::string kernel;            ///< its name; empty: not as one kernel
};

/// One of the costliest buckets, with the kernel that would be made for it.
struct DearBucket {
  uint32_t bucket = 0;
  double share = 0;         ///< of the predicted run time
  double tableDrivenUs = 0; ///< on the kernels that are always ready
  KernelPlan kernel;        ///< family, axes, cost terms, predicted time, floor
  std::string kernelText;   ///< as --emit=kernel prints it
};

/// Bytes that are alive while operation `operation` runs, inputs included, every table rounded up
/// to its alignment.
struct MemoryStep {
  size_t operation = 0;
  double liveBytes = 0;
};

struct MemoryFacts {
  std::vector<MemoryStep> steps; ///< one per operation, or the worst of a stretch of them
  size_t operations = 0;
  uint64_t inputBytes = 0;
  uint64_t workBytes = 0;
  uint64_t peakBytes = 0; ///< the promise: arenas with their holes; UINT64_MAX: beyond 64 bits
  /// What the whole process of a run on the CPU stays below: the tables, and beside them the
  /// program itself, the model's values and the plan. 0: unknown (started from a plan).
  uint64_t processBytes = 0;
  double log2PeakBytes = 0;
  size_t worstOperation = 0;          ///< of the most live bytes
  std::optional<uint64_t> boundBytes; ///< of a run like this one
  std::string boundSource;            ///< "--max-memory", "available memory of this machine"
  uint64_t deviceBytes = 0;           ///< memory of the target
};

/// One phase on one device; a run goes through them one after another.
struct PhaseTime {
  std::string device; ///< "cpu", "sm_90"
  std::string phase;  ///< "planning", "compiling", "opening", "uploading", "running"
  double timeUs = 0;
  bool once = false; ///< not again in later runs of the same session, or with a warm cache
  std::string why;   ///< "3 kernels of 0.2 s"
};

enum class WarningKind { Refused, Memory, Width, Range, Spill, Planner };

struct ExplainWarning {
  WarningKind kind = WarningKind::Planner;
  std::string text;
};

struct QueryExplanation {
  std::string query;
  std::string kind; ///< "evidence", "marginals", ...
  std::string semiring;
  std::string target, element;         ///< "sm_90", "f64"
  std::optional<NetworkFacts> network; ///< none: started from a plan
  std::vector<PassTable> passes;       ///< empty: started from a plan
  bool planned = false; ///< false: nothing below but warnings, no order is good enough to lay out
  std::vector<std::string> order;  ///< first eliminated first
  std::vector<std::string> sliced; ///< variables conditioned on, outermost loop first
  double slices = 1;               ///< product of their extents
  size_t inducedWidth = 0;
  double log2LargestClique = 0;
  double log2LargestMessage = 0;
  double log2Ops = 0;
  size_t packedTables = 0;  ///< of zeros and ones, which a GPU keeps as bits (pass_pack_tables.h)
  uint64_t packedElems = 0; ///< of those tables: an eighth of a byte each on a GPU
  size_t laidOutTables = 0; ///< stored for the kernels that read them (pass_lay_out_tables.h)
  std::vector<BucketFacts> buckets; ///< in execution order: a bucket comes after its operands
  std::vector<ChainFacts> chains;
  std::vector<DearBucket> costliest;
  size_t bucketsOfMost = 0; ///< so many buckets make 98 % of the run time
  MemoryFacts memory;
  std::vector<PhaseTime> phases;
  std::string askedDevice; ///< "auto", "cpu", "gpu": --device of the run that is explained
  std::string autoDevice;  ///< what that takes, of the devices that there are
  std::vector<ExplainWarning> warnings;

  double runUs() const;         ///< of all buckets on autoDevice
  size_t sharedBuckets() const; ///< not run: their messages are the same as earlier ones
};

struct Explanation {
  std::string model; ///< name for people
  std::vector<QueryExplanation> queries;
};

std::string_view warningName(WarningKind kind); ///< "refused", "memory", ...

} // namespace mpf
