// Programs and sessions: one query, run any number of times. runtime/api/mpf.h has an example, and
// says how errors are reported and which calls are safe on several threads.
#pragma once

#include "dsl/support/error.h"
#include "runtime/api/network.h"
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
  /// The names of the queries that it answers: one, or several posteriors that compileAll joined.
  /// Each of several has a table of its name in the result.
  std::vector<std::string> queries() const;
  /// The model's variables in its order.
  std::vector<VariableInfo> variables() const;
  /// The factors that a session can bind, in the model's order. With CompileOptions::finalTables
  /// those that were declared `input`.
  std::vector<InputInfo> inputs() const;
  /// Returns the tables that each multiplication reads: multiplications in execution order, their
  /// tables as ascending numbers. Numbers below the size of inputs() are those factors, larger
  /// numbers the results of earlier multiplications. A program with several outputs may read a
  /// result more than once. Loops of a sliced program are not shown.
  std::vector<std::vector<uint32_t>> products() const;
  /// The plain data of the program, which copies share.
  const Bundle &bundle() const { return *bundle_; }
  const std::shared_ptr<const Bundle> &share() const { return bundle_; }
  /// Writes a .mpfb file. loadProgram reads it without compiler, planner or model.
  void save(const std::string &path) const;
  /// Returns the contents of that file. Equal programs have equal bytes.
  std::string bytes() const;

private:
  friend struct VerifiedPrograms; // runtime/session/verified_program.h
  Program() = default;

  std::shared_ptr<const Bundle> bundle_;
};

struct LoadOptions {
  /// true: GPU kernels in the file, machine code included, run unchecked. The author of the file
  /// can then do everything that this program may do.
  /// false: machine code in the file is ignored. The source of a kernel must equal the text that
  /// the compiler generates for its operation from the plan in the file.
  bool trust = false;
};

/// Reads a .mpfb file. Throws Error(BadInput) for damaged files, and for files whose kernels fail
/// the check of LoadOptions::trust. Programs that link only mpf::runtime have no compiler for this
/// check. In these, untrusted kernels do not run, and a session with device "gpu" is
/// Error(BadInput).
Program loadProgram(const std::string &path, const LoadOptions &options = {});
/// The same for the contents of such a file. Nothing refers to them afterwards.
Program loadProgramBytes(std::string_view bytes, const LoadOptions &options = {});

struct CompileOptions {
  /// The query to compile: the name of a query of the model, or a query in the .mpf language:
  /// "marginals", "P(a, b)", "P(a | b = yes)". Empty: the only query of the model.
  std::string query;
  /// Evidence in the .mpf language: "wet = yes, rain ~ [0.3, 0.7]". It replaces the evidence that
  /// the model has on these variables.
  std::string observe;
  std::string unobserve; ///< variables whose evidence is taken away before: "wet, x[3]"
  /// "f64", "f32": floating point. "u64", "u128": whole numbers, exact or Error(Overflow). Empty:
  /// the type that the query names, else f64.
  std::string type;
  bool forcedLog = false; ///< log domain throughout (for comparison: slower)
  /// The memory bound of the tables, in bytes; UINT64_MAX: no bound. A plan above the bound
  /// recomputes messages (marginals) or is sliced. Where neither helps, the query is refused, and
  /// the error names the smallest peak that was found.
  ///
  /// Default, also of mpfc (runtime/choose/jit_memory.h): the memory that is left for tables. It
  /// respects control groups, limits of the process, and the memory that the process takes besides
  /// the tables. runtime/machine/process_memory.h states what the bound guarantees.
  ///
  /// With device "gpu" the bound is the free memory of the GPU, otherwise that of the host. With
  /// device "auto", a plan that exceeds the host's memory may use the GPU's, if that is larger.
  std::optional<uint64_t> maxMemoryBytes;
  /// The devices that the program must be able to run on: "cpu", "gpu", or "auto" (the CPU, and the
  /// machine's GPU where that pays).
  std::string device = "auto";
  std::string schedule = "auto"; ///< SessionOptions::schedule of the sessions to come
  std::string gpuArch; ///< plan GPU kernels for this architecture, not the machine's: "sm_90"
  /// Number of runs over which compiling GPU kernels, and planning, must pay. Infinity: every
  /// operation gets a GPU kernel.
  double expectedRuns = 100;
  /// n >= 2: compiles and measures n candidates of each GPU kernel for which that can pay, on the
  /// machine's GPU. The fastest is used, and the choice is stored in the cache on disk.
  /// 0: uses the cost model's choice and ignores the cache.
  /// Not set: uses the choices in the cache; with gpuArch, like 0.
  /// Results may differ in the last bits between kernels; the same cache gives the same kernels.
  std::optional<unsigned> autotune;
  /// Promises that no session binds new values to a factor that has values (`input` factors may
  /// still be bound). Then the network is simplified by its zeros and equal values before planning.
  bool finalTables = false;
  /// Promises that no session changes observed states either. Error(Usage) without finalTables.
  bool finalEvidence = false;
  /// Gives every message separate memory, if maxMemoryBytes allows. A run then computes only what
  /// depends on inputs bound and states observed since the last run. Otherwise only messages that
  /// depend on no `input` factor and no observed variable survive a run.
  bool keepMessages = false;
  /// Every warning is appended here as one text: its place, the line, and a caret. Null: warnings
  /// are dropped. It must live as long as the call.
  std::vector<std::string> *warnings = nullptr;
  Watch watch = {}; ///< sees and ends the compilation
};

/// Compiles a query of a network. Errors in CompileOptions::query, observe and unobserve are an
/// Error(Usage). Copies the network; a temporary is moved.
Program compile(Network network, const CompileOptions &options = {});
/// Compiles all queries of a network (Network::setQueries) to as few programs as pay. One program
/// may answer several posteriors with equal conditions (Program::queries), by one pass up the
/// network and one down. That takes less time than a program for each. The programs have the order
/// of their first queries.
std::vector<Program> compileAll(Network network, const CompileOptions &options = {});
/// Compile what Network::parse or Network::read returns.
Program compileText(std::string_view text, const CompileOptions &options = {},
                    const ReadOptions &reading = {});
Program compileFile(const std::string &path, const CompileOptions &options = {},
                    const ReadOptions &reading = {});

struct SessionOptions {
  std::string device = "auto"; ///< the devices that may be used: "auto", "cpu", "gpu" or "gpu:1"
  /// With device "auto", how operations are spread over CPU and GPU:
  /// - "cpu", "gpu": all on one device;
  /// - "greedy": each operation on the device that runs it faster;
  /// - "acceleration": the acceleration schedule of Silberstein, Schuster and Owens (2011);
  /// - "auto": the placement that is predicted to take the least time.
  /// Schedules other than "cpu" and "auto" need a GPU. The CPU runs everything if there is none,
  /// and with every schedule if the GPU fails before a run has ended. Result::deviceFault then
  /// gives the reason. With device "gpu" both cases are an Error instead.
  std::string schedule = "auto";
  /// GPU: whether levels of operations share a launch whose blocks wait for each other: "auto"
  /// (where that is predicted to pay), "off", "on" (wherever possible). It does not change results.
  std::string resident = "auto";
  /// GPU: whether copies of inputs and results may overlap launches, where that is predicted to
  /// pay. Otherwise a run copies inputs, launches, and copies results. It does not change results.
  bool hidesCopies = true;
  /// GPU, for programs that run in slices: how many slices of each loop are computed side by side,
  /// where memory allows, at most 64. 0: the number that is predicted to take the least time. It is
  /// 1 where the CPU runs other operations. The last bits of results may depend on it.
  unsigned slicesAtOnce = 0;
  /// CPU threads, at most 1024; 0: one per core. The number does not change results.
  unsigned threads = 0;
  size_t verifySamples = 0; ///< entries per operation that every run recomputes independently
  bool profile = false;     ///< measure the time of every operation (Result::operations)
  /// CPU: the number of runs over which compiling a C++ kernel for an operation must pay, with the
  /// system's compiler ($CXX, c++, clang++ or g++); 0: compile none. Without a compiler the
  /// built-in kernels run everything. The last bits of results depend on which kernels run.
  double expectedRuns = 1;      ///< not negative
  bool forbidCompiling = false; ///< a kernel missing in the cache is Error(Device), not compiled
  std::string dumpKernels;      ///< folder for the GPU kernels' sources and compiler logs
  /// Folder of files NAME.cu, which replace the text of kernel NAME. Sessions do not check these
  /// files; mpfc does (mpfc check-kernel).
  std::string overrideKernels;
  /// Sees and ends what opens a session and what runs it, but not runs between start() and
  /// finish().
  Watch watch = {};
};

/// Starts the machine's first GPU in a thread, and returns at once. Driver and context take about
/// 0.2 s, in which models can be read and compiled. Call it if sessions will use the GPU; a missing
/// GPU is reported by these, not here. The context stays open until endGpu() or the end of the
/// process. Later calls do nothing. Thread-safe.
void startGpu() noexcept;
/// Releases the context that startGpu() opened; sessions keep theirs. Thread-safe.
void endGpu();

/// An executable instance of a Program, with the memory of its tables. It runs any number of times.
class Session {
public:
  explicit Session(const Program &program, const SessionOptions &options = {});
  ~Session();
  Session(Session &&) noexcept;
  Session &operator=(Session &&) noexcept;

  /// Sets the values of a factor: one declared `input`, or any other. They are copied. Their order
  /// is row-major over the factor's variables in declared order, last one fastest. Throws
  /// Error(BadInput) for values that no run could use, and for a row of a conditional table
  /// (`prob`) that is more than 0.01 off 1.
  void bind(std::string_view factor, std::span<const double> values);
  /// Does the same without a copy. `values` must stay as they are until the factor gets others, or
  /// until the session ends.
  void lend(std::string_view factor, std::span<const double> values);
  /// Sets values of any magnitude up to 2^kMostWideExponent (dsl/support/wide_table.h).
  void bind(std::string_view factor, std::span<const ScaledNumber> values);

  /// Changes the state of an observed variable. The set of observed variables is fixed when the
  /// program is compiled. States are numbered from 0. A text is always a label, even if it looks
  /// like a number.
  void observe(std::string_view variable, uint32_t state);
  void observe(std::string_view variable, std::string_view label);

  /// Runs the query. Every `input` factor without a default must have been bound. A run recomputes
  /// only what depends on inputs and states that changed since the last run, and messages without
  /// separate memory (CompileOptions::keepMessages). The result has the same bits as a run that
  /// computes everything; Result::operationsRun counts the operations that ran.
  Result run();

  /// The two halves of run(): start() begins a run, finish() waits for it and returns the result.
  /// In between the host program can go on, or start sessions of other programs.
  /// A GPU works by itself. The host's part has a thread: operations on the CPU, very many slices,
  /// a profile, and samples to verify.
  /// Errors of the run are thrown by finish(). Other calls between the two are Error(Usage); the
  /// destructor waits for the run. "run" in Result::timings is the time from start() to the end of
  /// the wait.
  void start();
  Result finish();

  /// Returns where values and results lie in device memory (runtime/result/device_run.h).
  /// `factors`: names of the factors, `input` or not, whose values runOnDevice reads there. All
  /// other factors keep the values of bind, in device runs too. The layout is valid until the next
  /// call. The first call compiles a small kernel; every call waits for runs in flight.
  /// Throws:
  /// - Error(Unsupported) if the session does not run on a GPU alone (device "gpu");
  /// - Error(Unsupported) for programs that need the host during or after a run: whole numbers,
  ///   best assignments, posteriors for each state of other variables, finalTables;
  /// - Error(Unsupported) for factors that the program stores as bits: declare them `input`;
  /// - Error(Usage) for unknown factors, and with SessionOptions::profile or verifySamples.
  DeviceRunLayout deviceLayout(const std::vector<std::string> &factors);
  /// Runs with the values in `run` and the states that are observed now. Like run(), it recomputes
  /// only what has changed. `stream`: a CUstream (or cudaStream_t) of the device's primary context,
  /// not being captured. The run begins when all earlier work on the stream is done; later work on
  /// the stream begins when the results are there.
  ///
  /// The call does not wait for the device, with two exceptions:
  /// - it allocates and plans at the first call, and after changes of what the host binds;
  /// - it waits for the previous run if a factor that the host binds has new values, or has an
  ///   observed variable whose state has changed.
  /// So the arrays must stay valid until the stream reaches the end of the run. Their shape is
  /// checked: Error(Usage). Their values are not: values that bind refuses make results NaN. Errors
  /// of the device are thrown by the next call that waits for it.
  ///
  /// A device run has the launches of run() and a guard, which tests whether linear arithmetic was
  /// exact. If it was not, the device computes everything again by a slower plan that needs no
  /// assumption. The answer may differ from that of run() by rounding.
  /// The slower plan runs at once, without a guard:
  /// - where it is hardly slower;
  /// - where operations would overwrite what they have read of an earlier run;
  /// - where slices take more than 1024 launches;
  /// - with drivers before CUDA 12.3.
  /// A later run() takes all values from bind again.
  void runOnDevice(const DeviceRun &run, void *stream);
  /// Returns the numbers of launches of the last run that runOnDevice started.
  DeviceRunLaunches deviceRunLaunches() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the predicted time of the first run of such a session, in seconds. It includes opening a
/// GPU where the session uses one. The prediction uses the measured speed of this machine
/// (`mpfc calibrate`), else that of another machine. Throws Error(Usage) for invalid options, as
/// the constructor of Session does.
double predictSeconds(const Program &program, const SessionOptions &options = {});

} // namespace mpf
