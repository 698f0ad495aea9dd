// Programs and sessions: one query, run any number of times. runtime/api/mpf.h has an example, and
// says how errors are reported and which calls are safe on several threads.
#pragma once

#include "dsl/support/error.h"
#include "runtime/result/device_run.h"
#include "runtime/result/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct Bundle; // the plain data of a Program: codegen/bundle/bundle.h

/// A variable of a compiled model.
struct VariableInfo {
  std::string name;
  std::vector<std::string> labels; ///< of its states in their order; empty: they have numbers alone
  uint32_t states = 0;
  bool isObserved = false; ///< Session::observe can change its state
};

/// A factor whose values Session::bind can set.
struct InputInfo {
  std::string factor;
  std::vector<std::string> variables; ///< axes of its values, the last one fastest
  uint64_t sizeElems = 1;
  bool hasValues = false; ///< a run needs no bind
};

/// A compiled query. Cheap to copy: copies share the same immutable data.
class Program {
public:
  explicit Program(std::shared_ptr<const Bundle> bundle);

  /// The name of the query.
  const std::string &query() const;
  /// The model's variables in its order.
  std::vector<VariableInfo> variables() const;
  /// The factors that a session can bind, in the model's order. With CompileOptions::finalTables
  /// those that were declared `input`.
  std::vector<InputInfo> inputs() const;
  const Bundle &bundle() const { return *bundle_; }
  const std::shared_ptr<const Bundle> &share() const { return bundle_; }
  /// Writes a .mpfb file that loadProgram reads, without compiler, planner or model.
  void save(const std::string &path) const;

private:
  std::shared_ptr<const Bundle> bundle_;
};

struct LoadOptions {
  /// true: GPU kernels in the file, machine code included, run unchecked; the author of the file
  /// can do everything that this program may do. false: machine code is not used, and the source of
  /// a kernel must be what the compiler makes of the plan in the file, for the operation that it is
  /// launched for.
  bool trust = false;
};

/// Reads a .mpfb file. Damaged files, and files whose kernels fail the check of LoadOptions::trust,
/// are Error(BadInput) before anything runs. Programs that link only mpf::runtime have no compiler
/// to check kernels with: kernels that are not trusted then do not run, and a session with device
/// "gpu" is Error(BadInput).
Program loadProgram(const std::string &path, const LoadOptions &options = {});

struct CompileOptions {
  /// The query to compile: one of the model by its name, or one in the words of a model, whatever
  /// its format: "marginals", "P(a, b)", "P(a | b = yes)". Empty: the only one of the model.
  std::string query;
  /// Evidence in the words of a model: "wet = yes, rain ~ [0.3, 0.7]". It replaces what the model
  /// observes of these variables.
  std::string observe;
  std::optional<std::string> evidence; ///< a UAI evidence file: variables by number
  /// How numbers of that file are read where labels look like numbers (mpfc --states): as "labels",
  /// or as "numbers" of states, from 0. Empty: a number that is a label and the number of another
  /// state is Error(BadInput).
  std::string states;
  /// "f64", "f32": floating point. "u64", "u128": whole numbers, exact or Error(Overflow). Empty:
  /// what the query says, else f64.
  std::string type;
  /// Divides rows of conditional tables by their sums that do not sum to 1 (mpfc --normalise).
  /// Without it a row within 0.01 of 1 is taken as it stands, and one beyond is Error(BadInput), or
  /// in .uai files taken as it stands too.
  bool normalise = false;
  bool forcedLog = false; ///< log domain throughout (for comparison: slower)
  /// The memory bound of the tables. A plan above it computes messages again (marginals) or is
  /// sliced; where neither helps, the query is refused with the smallest peak found. UINT64_MAX: no
  /// bound. Default, also of mpfc (runtime/choose/jit_memory.h): the memory that the machine has
  /// left for tables, with regard to control groups, limits of the process, and what the process
  /// takes besides the tables (runtime/machine/process_memory.h says how far that is a promise).
  /// With device "gpu" it is the GPU's free memory, otherwise the host's. With device "auto", a
  /// plan that exceeds the host's memory may use the GPU's, if that is larger.
  std::optional<uint64_t> maxMemoryBytes;
  /// The devices that the program must be able to run on: "cpu", "gpu", or "auto" (the CPU, and the
  /// machine's GPU where that pays).
  std::string device = "auto";
  std::string schedule = "auto"; ///< SessionOptions::schedule of the sessions to come
  std::string gpuArch; ///< plan GPU kernels for this architecture, not the machine's: "sm_90"
  /// Runs over which compiling a GPU kernel pays, and planning; infinity: every operation has one.
  double expectedRuns = 100;
  /// n >= 2: compile and measure n candidates of each GPU kernel for which that can pay, on the
  /// machine's GPU, take the fastest, and store the choice in the cache on disk. 0: take the cost
  /// model's choice and ignore the cache. Not set: take the choices in the cache; with gpuArch: as
  /// 0. Results may differ in the last bits between kernels; the same cache gives the same kernels.
  std::optional<unsigned> autotune;
  /// Promises that no session binds new values to a factor that has values (`input` factors may
  /// still be bound). Then the network is simplified by its zeros and equal values before planning.
  bool finalTables = false;
  /// Promises that no session changes observed states either. Error(Usage) without finalTables.
  bool finalEvidence = false;
  /// Gives every message memory of its own, if maxMemoryBytes allows. A run then computes only what
  /// depends on inputs bound and states observed since the last run. Otherwise only messages that
  /// depend on no `input` factor and no observed variable survive a run.
  bool keepMessages = false;
  /// Every warning is appended here as one text: its place, the line, and a caret. Null: warnings
  /// are dropped. It must live as long as the call.
  std::vector<std::string> *warnings = nullptr;
};

/// Compiles a model: a .mpf text, or a file of any format that README lists, by its ending.
/// Errors in the text are one Error(BadInput) whose message holds all diagnostics with their
/// places; those in CompileOptions::query and observe are an Error(Usage). Files that a text names
/// are read as seen from the working folder.
Program compileText(std::string_view text, const CompileOptions &options = {});
Program compileFile(const std::string &path, const CompileOptions &options = {});

struct SessionOptions {
  std::string device = "auto"; ///< "auto", "cpu", "gpu": which may be used
  /// With device "auto", how operations are spread over CPU and GPU: "cpu", "gpu", "greedy" (each
  /// where it alone is faster), "acceleration" (the Gems chapter's acceleration schedule), "auto"
  /// (what is predicted to take the least time). All but "cpu" and "auto" need a GPU: where there
  /// is none, and with any schedule where it fails before a run has ended, the CPU runs everything,
  /// and Result::deviceFault says why. With device "gpu" that is an Error instead.
  std::string schedule = "auto";
  /// GPU: whether levels of operations share a launch whose blocks wait for each other: "auto"
  /// (where that is predicted to pay), "off", "on" (wherever it can be). Results are the same.
  std::string resident = "auto";
  /// GPU: whether copies of inputs and results may stand beside its launches, where that is
  /// predicted to pay; else a run copies first, launches, and copies back. Results are the same.
  bool hidesCopies = true;
  /// GPU, of a program that runs in slices: how many slices of each loop are computed side by side,
  /// where memory allows, at most 64. 0: as many as are predicted to take the least time. 1 where a
  /// CPU runs other operations. The last bits of results may depend on it.
  unsigned slicesAtOnce = 0;
  /// CPU threads, at most 1024; 0: one per core. Results are the same for any number.
  unsigned threads = 0;
  size_t verifySamples = 0; ///< entries per operation that every run recomputes independently
  bool profile = false;     ///< measure the time of every operation (Result::operations)
  /// CPU: the number of runs over which compiling a C++ kernel for an operation must pay, with the
  /// system's compiler ($CXX, c++, clang++ or g++); 0: compile none. Without a compiler the
  /// built-in kernels run everything. The last bits of results depend on which kernels run.
  double expectedRuns = 1;      ///< not negative
  bool forbidCompiling = false; ///< a kernel missing in the cache is Error(Device), not compiled
  std::string dumpKernels;      ///< folder for the GPU kernels' sources and compiler logs
  /// Folder of NAME.cu files, compiled instead of kernel NAME's text. They run unchecked here: only
  /// mpfc checks them first (mpfc check-kernel).
  std::string overrideKernels;
};

/// Begins to bring the machine's first GPU up in a thread, and returns: driver and context take
/// some 0.2 s, in which models can be read and compiled. For programs whose sessions will use the
/// GPU; a GPU that is not there is reported by them, not here. The context stays open until
/// endGpu(), beside those of sessions, or to the end of the process. Later calls do nothing.
/// Thread-safe.
void startGpu() noexcept;
/// Gives back what startGpu() holds; sessions keep what they have. Thread-safe.
void endGpu();

/// One executable instance of a Program with its memory. Runs any number of times.
class Session {
public:
  explicit Session(const Program &program, const SessionOptions &options = {});
  ~Session();
  Session(Session &&) noexcept;
  Session &operator=(Session &&) noexcept;

  /// Sets the values of a factor declared `input`, or new values of any other factor. They are
  /// row-major over its variables in declared order, last one fastest, and are copied.
  /// Error(BadInput) for values that no run could use.
  void bind(std::string_view factor, std::span<const double> values);
  /// The same for values of any magnitude up to 2^kMostWideExponent (dsl/support/wide_table.h).
  void bind(std::string_view factor, std::span<const ScaledNumber> values);

  /// Changes the state of an observed variable. A number is the number of the state, from 0; a text
  /// is a label and nothing else, also where it looks like a number. Which variables are observed
  /// is fixed when the program is compiled.
  void observe(std::string_view variable, uint32_t state);
  void observe(std::string_view variable, std::string_view label);

  /// Runs the query. Every `input` factor without a default must have been bound. It computes again
  /// only what depends on inputs and states that changed since the last run, and what had no memory
  /// of its own (CompileOptions::keepMessages). The result has the same bits as if it computed
  /// everything; Result::operationsRun says how much it computed.
  Result run();

  /// run() in two halves: start() begins, finish() waits and gives the result. In between the host
  /// program can go on, or start sessions of other programs: a GPU works by itself; on the CPU, and
  /// with very many slices, a profile, samples to verify or operations on both devices, a thread
  /// does what the host has to do. Errors of the run come from finish(). Between the two the
  /// session takes no other call: Error(Usage); its destructor waits for the run. "run" in
  /// Result::timings is the time from the one to the end of the other.
  void start();
  Result finish();

  /// Of runs whose values and results are in the memory of a GPU (runtime/result/device_run.h):
  /// where everything is to be. `factors`: those whose values runOnDevice takes from there, `input`
  /// or not; the others keep the values of bind, in device runs too. The layout holds until the
  /// next call. Compiles a small kernel the first time, and waits for what was started.
  /// Error(Unsupported) where the session does not run on a GPU alone (device "gpu"), and for
  /// programs that need the host after or during a run: of whole numbers, of best assignments, with
  /// finalTables. Error(Usage) for factors that the program does not have, and
  /// with SessionOptions::profile or verifySamples.
  DeviceRunLayout deviceLayout(const std::vector<std::string> &factors);
  /// Runs with the values in `run`, in the observed states as they are now, and computes again only
  /// what run() would. `stream`: a CUstream (or cudaStream_t) of the device's primary context, not
  /// being captured. The work begins when what is on the stream now is done, and what comes on it
  /// later begins when the results are there; the call itself waits for nothing, but
  /// - for what it makes the first time, and after changes of what the host binds: memory, plans;
  /// - for the run before, where a factor that the host binds has new values, or has an observed
  ///   variable whose state has changed.
  /// So the arrays must live until the stream has come that far. What is in them is not looked at:
  /// Error(Usage) is for their shape; what bind would refuse makes results NaN. What goes wrong on
  /// the device is told by the next call that waits. A run takes the launches of run(), and one
  /// that looks whether linear arithmetic was exact; only where it was not the device computes all
  /// once more, in longer ways. (Always in these where they are hardly longer, where operations
  /// would overwrite what they have read of an earlier run, where slices take more than 1024
  /// launches, and with drivers before CUDA 12.3.) The answer may differ from that of run() by
  /// rounding. A run() afterwards takes everything from bind again.
  void runOnDevice(const DeviceRun &run, void *stream);
  /// Of the run that runOnDevice started last: what it consists of.
  DeviceRunLaunches deviceRunLaunches() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How long the first run of such a session is predicted to take, in seconds, with opening a GPU
/// where it uses one. By the measured speed of this machine (`mpfc calibrate`), else by that of
/// another one. Throws as the session would for options without a meaning.
double predictSeconds(const Program &program, const SessionOptions &options = {});

} // namespace mpf
