// EXPLANATION: everything that `mpfc explain` knows about a query before it runs, as plain data.
// explain_query.h makes it; print_text.h, print_html.h and print_json.h print it.
//
// Equal models and options give equal bytes on machines with equal memory, instruction set and
// speed. The instruction set decides which CPU kernels would be compiled. The speed is measured
// (`mpfc calibrate`), or the shipped one on both. If a machine's GPU is used and none is named,
// both must have its kernels in their caches, or neither. Nothing depends on clocks or addresses.
// Times are predictions in microseconds.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "runtime/machine/stored_speed.h"
#include "tools/mpfc/explain/facts/case_facts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  std::string largestFactor; ///< the first factor with the most variables
  size_t largestScope = 0;
  uint64_t entries = 0; ///< entries of all tables with values
  uint64_t zeroEntries = 0;
  uint64_t tableBytes = 0; ///< in the element type of the run
};

/// The variables of the query as a graph, for the picture of the network. Large networks are cut:
/// the picture holds the variables nearest to those that the query asks for.
struct NetworkPicture {
  enum class Role {
    Asked,    ///< the query asks for it
    Observed, ///< its state is given
    Planned,  ///< the plan eliminates it
    Removed,  ///< simplification removed it
  };
  struct Node {
    std::string name;
    uint32_t extent = 0;
    Role role = Role::Planned;
  };
  struct Edge {
    uint32_t from = 0, to = 0; ///< nodes
    bool isArrow = false;      ///< from a parent to the child of a conditional table
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges; ///< each pair once
  size_t variables = 0;    ///< of the network; those beyond `nodes` are left out
  bool hasStars = false;   ///< some factor joins its variables to its first only
};

/// The figures after one pass. The rows of one table have the same columns.
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
  bool differences = false; ///< rows between the first and the last hold differences
};

/// One operation of the table program.
struct BucketFacts {
  static constexpr uint32_t kNone = UINT32_MAX;

  std::string name;                  ///< name of its result: "m12"
  std::vector<std::string> operands; ///< table names
  std::vector<std::string> reduced;  ///< variables eliminated here
  size_t variables = 0;              ///< number of variables of the bucket, kept and reduced
  uint32_t parent = kNone; ///< upward: bucket that reads the message; downward: its upward bucket
  bool downward = false;   ///< made for marginals, after the message upward
  double addresses = 0;    ///< bucket addresses of one slice; may exceed 2^64 in a refused plan
  double entries = 0;      ///< entries of the result, one slice
  double runs = 1;  ///< number of slices that compute it; times are those of all slices together
  double loads = 0; ///< operand entries combined: addresses * operands * runs
  double cpuUs = 0;
  double gpuUs = 0; ///< time on the kernel that would run, table-driven or specialised
  bool specialisedKernel = false; ///< whether it would run on a specialised kernel on the GPU
  bool cpuCompiled = false;       ///< whether it would run on a compiled kernel on the CPU
  double floorBytesUs = 0;        ///< every table moved once at the copy limit
  double floorArithmeticUs = 0;   ///< operations at the peak rate
  bool onGpu = false;             ///< the run would compute it on the GPU
  double costUs = 0;              ///< time on the device that the run would use; colours the tree
};

/// Consecutive buckets that may run as one kernel (codegen/plan/passes/pass_find_chains.h). Their
/// gpuUs share the kernel's time where it is worth compiling.
struct ChainFacts {
  uint32_t first = 0, count = 0; ///< first bucket, number of buckets
  double messageEntries = 0;     ///< entries of the message that enters, one slice
  double aloneUs = 0;            ///< the buckets one by one; times are of all slices together
  double chainUs = 0;            ///< time as one kernel; 0: does not run as one kernel
  std::string kernel;            ///< name of that kernel; empty: does not run as one kernel
};

/// One of the costliest buckets, with the kernel that would be built for it.
struct DearBucket {
  uint32_t bucket = 0;
  double share = 0;         ///< its share of the predicted run time
  double tableDrivenUs = 0; ///< time on table-driven kernels
  double ownUs = 0;         ///< time on `kernel`, as the choice of kernels compares it
  /// Family, axes, cost terms, modelled time, floor. None: the kernels of a GPU cannot compute it.
  std::optional<KernelPlan> kernel;
  std::string kernelText; ///< as --emit=kernel prints it
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
  uint64_t peakBytes = 0; ///< size of the arenas, gaps included; UINT64_MAX: exceeds 64 bits
  /// Bound of the whole process of a run on the CPU: tables, program, the model's values and the
  /// plan. 0: unknown (started from a plan).
  uint64_t processBytes = 0;
  double log2PeakBytes = 0;
  size_t worstOperation = 0;          ///< the operation with the most live bytes
  std::optional<uint64_t> boundBytes; ///< memory bound of a run with these options
  std::string boundSource;            ///< "--max-memory", "available memory of this machine"
  uint64_t deviceBytes = 0;           ///< memory of the target
};

/// The search for an order.
struct SearchFacts {
  uint64_t rounds = 0, steps = 0;
  double expectedRuns = 1; ///< runs whose time the search should save
  double expectedUs = 0;   ///< time of one of them, from sums over the buckets of the order
  unsigned threads = 1;    ///< threads of the CPU for expectedUs; the plan does not depend on them
  std::string end;         ///< "it took its share of the runs"
};

/// One phase on one device; a run goes through them one after another.
struct PhaseTime {
  std::string device; ///< "cpu", "sm_90"
  /// "planning", "compiling", "opening", "touching", "uploading", "running", "downloading",
  /// "decoding"
  std::string phase;
  double timeUs = 0;
  bool once = false; ///< not again in later runs of the same session, or with a warm cache
  std::string why;   ///< "3 kernels of 0.2 s"
};

/// One way to spread the operations over CPU and GPU (runtime/schedule/placement/placement.h).
struct PlacementFacts {
  std::string method; ///< "cpu", "gpu", "greedy", "acceleration"
  double timeUs = 0;  ///< time of one run, with its share of the GPU's single costs
  double onceUs = 0;  ///< that share
  bool chosen = false;
};

/// One bar of a device's time line: an operation, or several that are placed together
/// (runtime/schedule/placement/placement_tasks.h).
struct TimelineBarFacts {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t lane = 0;       ///< index in TimelineFacts::lanes
  std::string what;        ///< "m3", "m3 .. m7", "m3 to sm_90", "start and wait"
  size_t operations = 0;   ///< 0: no operation, but a copy or the start of the GPU
  uint32_t bucket = kNone; ///< bucket of the first operation, or of the one whose result is copied
  double bytes = 0;        ///< bytes of a copy
  uint32_t superstep = 0;
  double startUs = 0, endUs = 0;
};

/// The chosen placement over time (runtime/schedule/placement/timeline.h).
struct TimelineFacts {
  std::vector<std::string> lanes; ///< those with bars: "cpu", "sm_90", "copies"
  std::vector<TimelineBarFacts> bars;
  double endUs = 0;
  double openUs = 0;    ///< time to open the GPU before the first bar: this run's share
  unsigned threads = 1; ///< threads of the CPU, which share its bars
};

/// The phase before every run, on any device.
inline constexpr const char *kPlanningPhase = "planning";
/// The name of the CPU among the devices of an explanation.
inline constexpr const char *kCpuDevice = "cpu";
/// The device of a run that uses both.
inline constexpr const char *kBothDevices = "cpu and gpu";

enum class WarningKind { Refused, Memory, Width, Range, Spill, Planner };

struct ExplainWarning {
  WarningKind kind = WarningKind::Planner;
  std::string text;
};

struct QueryExplanation {
  std::string query;
  std::vector<std::string> joined; ///< the queries that are answered together; empty: it is one
  std::string kind;                ///< "evidence", "marginals", ...
  std::string semiring;
  std::string target, element;           ///< "sm_90", "f64"
  std::optional<NetworkFacts> network;   ///< none: started from a plan
  std::optional<NetworkPicture> picture; ///< likewise
  std::vector<PassTable> passes;         ///< empty: started from a plan
  /// Set: the query is answered for a list of cases. Then only the memory bound and the warnings of
  /// the members below are set.
  std::optional<CaseFacts> cases;
  bool planned = false; ///< false: no usable order was found; of the members below only warnings
  std::vector<std::string> order;  ///< first eliminated first
  std::vector<std::string> sliced; ///< variables conditioned on, outermost loop first
  double slices = 1;               ///< product of their extents
  uint64_t slicesAtOnce = 1;       ///< slices that the device of the run computes side by side
  uint64_t replicaBytes = 0;       ///< memory for that, besides the peak: on a GPU
  size_t inducedWidth = 0;
  double log2LargestClique = 0;
  double log2LargestMessage = 0;
  double log2Ops = 0;
  size_t packedTables = 0;  ///< tables of zeros and ones, packed on a GPU (pass_pack_tables.h)
  uint64_t packedElems = 0; ///< entries of the packed tables, one bit each on a GPU
  size_t laidOutTables = 0; ///< tables laid out for kernels (pass_lay_out_tables.h)
  std::vector<BucketFacts> buckets; ///< in execution order: a bucket comes after its operands
  std::vector<ChainFacts> chains;
  std::vector<DearBucket> costliest;
  size_t bucketsOfMost = 0; ///< number of buckets that take 98 % of the run time
  MemoryFacts memory;
  std::vector<PhaseTime> phases;
  SearchFacts search;                             ///< without steps: started from a plan
  SpeedOrigin speedOrigin = SpeedOrigin::Shipped; ///< of the predicted times
  std::string askedDevice; ///< "auto", "cpu", "gpu": --device of the run that is explained
  std::string autoDevice;  ///< the device that the run would use, or kBothDevices
  std::string schedule;    ///< the chosen method of `placements`
  std::vector<PlacementFacts> placements; ///< empty: started from a plan
  TimelineFacts timeline;                 ///< without bars: started from a plan
  std::vector<ExplainWarning> warnings;
  std::vector<std::string> advice; ///< options that would save memory or time, with the gain
  /// Whether a GPU is asked for, or may be found. Otherwise text and page leave out its figures.
  bool asksGpu = false;

  /// Whether text and page show the phase.
  bool shows(const PhaseTime &phase) const { return phase.device == kCpuDevice || showsGpu(); }
  bool showsGpu() const { return asksGpu || (!autoDevice.empty() && !staysOnCpu()); }
  double runUs() const;       ///< time of all buckets on autoDevice
  double againUs() const;     ///< time of a run on autoDevice, without things that happen once
  double firstTimeUs() const; ///< againUs, with planning and all things that happen once
  bool staysOnCpu() const { return autoDevice == kCpuDevice; }
  bool usesBothDevices() const; ///< whether it uses them at the same time
  size_t sharedBuckets() const; ///< number of buckets not run: their messages equal earlier ones
};

/// Returns the phase of the run on a device; null: there is none.
PhaseTime *runningPhase(QueryExplanation &explanation, std::string_view device);

struct Explanation {
  std::string model; ///< name for messages
  std::vector<QueryExplanation> queries;
};

std::string_view warningName(WarningKind kind); ///< "refused", "memory", ...
/// Returns "measured", "looked" or "shipped".
std::string_view speedOriginName(SpeedOrigin origin);

} // namespace mpf
