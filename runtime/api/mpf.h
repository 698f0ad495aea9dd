// mpf for host programs: the one public header.
//
// A Program is a compiled query, a Session runs it. Compile (or load a .mpfb file) once, then bind
// inputs, set evidence and run as often as needed: a run neither plans, nor compiles, nor allocates
// working memory.
//
//   #include "runtime/api/mpf.h"
//
//   mpf::Program program = mpf::compileText(R"(
//     var rain, wet : {no, yes}
//     prob P(rain) = [0.8, 0.2]
//     prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
//     observe wet = yes
//     query evidence
//   )");
//   mpf::Session session(program);
//   double log10Z = session.run().tables.front().at(0).log10(); // log10 of 0.24
//   session.observe("wet", "no");
//   double other = session.run().tables.front().at(0).log10();  // log10 of 0.76
//
// Linking: find_package(mpf), mpf::mpf. Inside this project: mpf::jit for everything, mpf::runtime
// for loadProgram and sessions without the compiler.
//
// Errors: every function throws mpf::Error (dsl/support/error.h): BadInput for a wrong model, file
// or value, Overflow for counts that do not fit their type, Unsupported for queries that this
// version refuses, Usage for a name or state that does not exist, MemoryBound, Device,
// Verification. After an exception the object is as it was before the call. A refused
// allocation is Error(MemoryBound) too.
//
// Threads: a Program may be shared by any number of threads; a Session belongs to one at a time.
#pragma once

#include "dsl/support/error.h"
#include "runtime/result/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

struct Bundle; // plain data behind a Program: codegen/bundle/bundle.h

/// A compiled query. Cheap to copy: copies share the same immutable data.
class Program {
public:
  explicit Program(std::shared_ptr<const Bundle> bundle);

  const Bundle &bundle() const { return *bundle_; }
  const std::shared_ptr<const Bundle> &share() const { return bundle_; }
  /// Writes a .mpfb file that loadProgram reads, without compiler, planner or model.
  void save(const std::string &path) const;

private:
  std::shared_ptr<const Bundle> bundle_;
};

struct LoadOptions {
  /// GPU kernels in the file are run as they are, machine code too: the author of the file may
  /// do what this program may. Otherwise machine code is not used, and a kernel must be what the
  /// compiler makes of the plan beside it, for the operation that it is launched for.
  bool trust = false;
};

/// Reads a .mpfb file; damaged files, and files with kernels of others, are refused before anything
/// is run. With mpf::runtime alone there is no compiler to tell by: kernels that are not trusted
/// then run on no GPU, sessions for one are Error(BadInput).
Program loadProgram(const std::string &path, const LoadOptions &options = {});

struct CompileOptions {
  std::string query;                   ///< name of the query to compile; empty: the only one
  std::optional<std::string> evidence; ///< a UAI evidence file: variables by number
  /// "f64", "f32": floating point. "u64", "u128": whole numbers, exact or Error(Overflow). Empty:
  /// what the query says, else f64.
  std::string type;
  bool forcedLog = false; ///< log domain throughout (for comparison: slower)
  /// What the tables may take. Plans above it are sliced; refused, with the smallest peak found,
  /// where that does not help. Default, for mpfc as well (runtime/api/jit_memory.h): what the
  /// machine has left for them, control groups, limits of the process and what it takes beside the
  /// tables counted (runtime/api/process_memory.h says how far that is a promise). With device
  /// "gpu" that is the GPU's free memory; otherwise what the host has available, or for a plan
  /// beyond that and device "auto" the GPU's, if it has more. UINT64_MAX: no bound.
  std::optional<uint64_t> maxMemoryBytes;
  /// What the program must be able to run on: "cpu", "gpu", or "auto": the machine's GPU as well
  /// where that pays.
  std::string device = "auto";
  std::string gpuArch;       ///< plan GPU kernels for this one ("sm_90") instead of the machine's
  double expectedRuns = 100; ///< runs over which compiling a GPU kernel pays
  /// Compile and measure so many candidates (2 or more) of each GPU kernel that can repay it, on
  /// the machine's GPU, take the fastest, and remember it in the cache on disk. 0: take the cost
  /// model's choice whatever is remembered. Nothing: take what is remembered; with gpuArch as 0.
  /// Results may differ in the last bits with the kernels taken; the same cache gives the same
  /// ones.
  std::optional<unsigned> autotune;
  /// No session will bind new values to a factor that has some (inputs can still be bound):
  /// the network is simplified by its zeros and equal values before it is planned.
  bool finalTables = false;
  bool finalEvidence = false; ///< with finalTables, else Error(Usage): nor are states observed
  /// Every message gets memory of its own, if maxMemoryBytes allows: a run then computes only what
  /// depends on inputs bound and states observed since the last one. Otherwise only messages that
  /// depend on no `input` factor and no observed variable outlast a run.
  bool keepMessages = false;
};

/// Compiles a model: a .mpf text, or a file of any format that README lists, by its ending.
/// Errors in the text are one Error(BadInput) whose message holds all diagnostics with their
/// places.
Program compileText(std::string_view text, const CompileOptions &options = {});
Program compileFile(const std::string &path, const CompileOptions &options = {});

struct SessionOptions {
  std::string device = "auto"; ///< "auto", "cpu", "gpu"
  /// CPU threads, at most 1024; 0: one per core. Results are the same for any number.
  unsigned threads = 0;
  size_t verifySamples = 0; ///< entries per operation that every run recomputes independently
  bool profile = false;     ///< time of every operation in Result::operations
  /// CPU: runs over which writing and compiling a C++ kernel for an operation must pay, by the
  /// system's compiler ($CXX, c++, clang++ or g++); 0: never. Without a compiler the built-in
  /// kernels run everything; the last bits of results depend on which of them do.
  double expectedRuns = 1;      ///< not negative
  bool forbidCompiling = false; ///< a kernel missing in the cache is Error(Device), not compiled
  std::string dumpKernels;      ///< folder for the GPU kernels' sources and compiler logs
  std::string overrideKernels; ///< folder of NAME.cu files to compile instead of kernel NAME's text
};

/// One executable instance with its memory. Reusable thousands of times.
class Session {
public:
  explicit Session(const Program &program, const SessionOptions &options = {});
  ~Session();
  Session(Session &&) noexcept;
  Session &operator=(Session &&) noexcept;

  /// Values of a factor declared `input` (or new values for any other factor), row-major over its
  /// variables in declared order, last one fastest. Copied. Error(BadInput) for values that no run
  /// could use.
  void bind(std::string_view factor, std::span<const double> values);

  /// Changes the state of an observed variable, by number or by label. Which variables are observed
  /// is fixed when the program is compiled.
  void observe(std::string_view variable, uint32_t state);
  void observe(std::string_view variable, std::string_view label);

  /// Runs the query. Every `input` factor must have been bound. Computes again what depends on
  /// inputs and states that changed since the last run, and what had no memory of its own
  /// (CompileOptions::keepMessages; Result::operationsRun); the same numbers as if it computed all.
  Result run();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf
