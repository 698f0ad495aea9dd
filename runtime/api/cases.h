// Lists of cases for host programs: one query, answered for row after row of evidence.
//
// A CaseProgram is a query compiled for cases; a CaseSession answers blocks of cases. Each case may
// observe different variables: nothing is compiled again. *Lanes* answer cases side by side, in
// vector registers or on a GPU.
//
//   #include <mpf/mpf.h>
//
//   mpf::CaseProgram program = mpf::compileCasesFile("alarm.bif", {}, {.query = "evidence"});
//   mpf::CaseSession session(program);
//   mpf::CaseBlock block = program.block(2);         // two cases, nothing is observed yet
//   block.count = 2;
//   program.observe(block, 0, "HISTORY", "TRUE");
//   program.observe(block, 1, "BP", "LOW");
//   mpf::CaseAnswers answers;
//   session.run(block, answers);
//   double ln = answers.tables.front().at(1).ln();   // of P(BP = LOW)
//
// A program can be saved and loaded (CaseProgram::save, loadCases).
//
// A host program may also fill columns directly (dsl/support/cases/case_block.h): a code is a
// state, or the variable's extent where a case does not observe it.
//
// Errors and threads: see runtime/api/mpf.h. Linking: mpf::mpf; inside this project mpf::jit.
#pragma once

#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/device_arrays.h"
#include "dsl/support/cases/device_cases.h"
#include "runtime/api/session.h"
#include "runtime/result/case_answers.h"
#include "runtime/result/case_counts.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mpf {

struct ProgramHead;  // codegen/bundle/head/program_head.h
class CaseFormulas;  // dsl/formats/cases/tables/case_formulas.h
struct CaseQuestion; // runtime/engine/case_question.h

/// A query compiled for lists of cases. Cheap to copy: copies share the same immutable data.
class CaseProgram {
public:
  /// `head`: the name, variables and columns of the program. `formulas`: the formulas of cases that
  /// set params, with these columns; null: no case sets any. `question`: the query and its model,
  /// with which a session chooses an engine.
  explicit CaseProgram(std::shared_ptr<const ProgramHead> head,
                       std::shared_ptr<const CaseFormulas> formulas,
                       std::shared_ptr<const CaseQuestion> question);

  const ProgramHead &head() const { return *head_; }
  /// Writes a .mpfb file for loadCases and `mpfc run --cases`. Throws Error(BadInput) if the file
  /// cannot be written, and Error(Unsupported) if lanes cannot answer the query.
  void save(const std::string &path) const;
  /// Returns the contents of that file. Throws Error(Unsupported) if lanes cannot answer the query.
  std::string bytes() const;
  const CaseFormulas *formulas() const { return formulas_.get(); }
  const std::shared_ptr<const CaseQuestion> &question() const { return question_; }
  /// The name of the query.
  const std::string &query() const;
  /// The names of the queries that it answers: one, or several posteriors that compileAllCases
  /// joined. Each of several has a table of its name in the answers, behind the table "evidence".
  std::vector<std::string> queries() const;
  /// The model's variables in its order.
  std::vector<VariableInfo> variables() const;
  /// Returns the columns of a block, in the order of CaseOptions.
  const CaseSchema &schema() const;
  /// Returns the column of a variable. Throws Error(Usage) if cases cannot observe it.
  size_t columnOf(std::string_view variable) const;

  /// Returns a block with memory for `cases` cases and count 0. No case observes a variable;
  /// weights, and entries of tables, are 1. Params are NaN: the model's value holds, or the value
  /// that follows from other params of the case. A swept param must be set in every case.
  CaseBlock block(uint32_t cases) const;
  /// Sets the observed state of a variable in case `i` of the block. States are numbered from 0. A
  /// text is always a label, even if it looks like a number.
  void observe(CaseBlock &block, uint32_t i, std::string_view variable, uint32_t state) const;
  void observe(CaseBlock &block, uint32_t i, std::string_view variable,
               std::string_view label) const;

  /// Sets a param in case `i` of the block. Throws Error(Usage) for params that cases do not set.
  void setParam(CaseBlock &block, uint32_t i, std::string_view param, double value) const;

private:
  std::shared_ptr<const ProgramHead> head_;
  std::shared_ptr<const CaseFormulas> formulas_;
  std::shared_ptr<const CaseQuestion> question_;
};

/// The values that cases set.
struct CaseOptions {
  /// Variables that a case may observe; empty: all that the model does not observe itself. A
  /// program for fewer variables is often faster, because the rest of the model is simplified.
  std::vector<std::string> observable;
  bool observesNothing = false; ///< cases observe no variable; `observable` is empty
  /// Variables whose states a case weighs (soft evidence).
  std::vector<std::string> likelihoods;
  /// Params that a case sets, besides those that the model sweeps. Tables that depend on them are
  /// computed for each case.
  std::vector<std::string> params;
  /// Factors whose entries each case gives (CaseSchema::tables), row-major over the scope.
  std::vector<std::string> tables;
};

/// Compiles a query of a network for cases. The network's evidence holds in every case.
/// `expectedRuns`, `keepMessages` and `autotune` of `options` are not used; with `device` "gpu"
/// lanes are planned for a GPU. Throws the errors of compile, Error(Usage) for params that the
/// network was not read for (ReadOptions::caseParams), and Error(Unsupported) for queries with
/// several best assignments.
CaseProgram compileCases(Network network, const CaseOptions &cases = {},
                         const CompileOptions &options = {});
/// Compiles all queries of a network for cases, to as few programs as pay over 10,000 cases
/// (compileAll).
std::vector<CaseProgram> compileAllCases(Network network, const CaseOptions &cases = {},
                                         const CompileOptions &options = {});
/// Compile what Network::parse or Network::read returns. `cases.params` need not be in
/// ReadOptions::caseParams.
CaseProgram compileCasesText(std::string_view text, const CaseOptions &cases = {},
                             const CompileOptions &options = {}, const ReadOptions &reading = {});
CaseProgram compileCasesFile(const std::string &path, const CaseOptions &cases = {},
                             const CompileOptions &options = {}, const ReadOptions &reading = {});

/// Reads a file that CaseProgram::save wrote, or `mpfc build` of a model with a list of cases.
/// Nothing is planned. Throws Error(BadInput) for damaged files, and for files that answer single
/// cases (loadProgram).
CaseProgram loadCases(const std::string &path);
/// The same for the contents of such a file. Nothing refers to them afterwards.
CaseProgram loadCasesBytes(std::string_view bytes);

/// A program of a file of any kind.
using AnyProgram = std::variant<Program, CaseProgram>;

/// Reads a .mpfb file of either kind, as loadProgram and loadCases.
AnyProgram load(const std::string &path, const LoadOptions &options = {});
/// The same for the contents of such a file.
AnyProgram loadBytes(std::string_view bytes, const LoadOptions &options = {});

/// The expected work of a session.
struct ExpectedCases {
  /// The approximate number of cases in all blocks; none: 10,000. Starting a GPU and compiling
  /// kernels must pay over these.
  std::optional<uint64_t> rows;
  /// Whether cases and answers lie in the memory of a GPU (runOnDevice, runArrays). Lanes answer
  /// such cases, so no other engine is chosen. Their kernels are compiled for the first arrays.
  bool onDevice = false;
};

/// Answers any number of blocks of cases.
///
/// It uses the engine that `mpfc run --cases` would use (runtime/engine/list/choose_engine.h):
/// cases side by side in lanes, tables of many cases, or one case after the other. A loaded program
/// has lanes only. The choice changes at most the last digits of answers.
class CaseSession {
public:
  /// `options`: those of Session, without `profile`. Device "auto" uses the machine's GPU where it
  /// is predicted to pay clearly; if the GPU fails, the CPU takes over. Throws like the constructor
  /// of Session, and Error(MemoryBound) if the memory does not hold one case.
  explicit CaseSession(const CaseProgram &program, const SessionOptions &options = {},
                       const ExpectedCases &expected = {});
  ~CaseSession();
  CaseSession(CaseSession &&) noexcept;
  CaseSession &operator=(CaseSession &&) noexcept;

  /// Sets new values of any factor that cases do not set, like Session::bind. Tables that all cases
  /// share are computed again.
  void bind(std::string_view factor, std::span<const double> values);

  /// Answers every case of a block with the program's columns. The answers are the tables of single
  /// runs, and the posteriors of observed variables. `answers` keeps its memory between calls.
  ///
  /// Throws Error(Usage) for a block with other columns, and if in some case
  /// - a code exceeds the variable's extent;
  /// - a weight is negative or not finite, or not a whole number where the query counts;
  /// - all weights of a likelihood are zero;
  /// - params give an infinite entry, a row of a `prob` that does not sum to 1, or soft evidence
  ///   without a possible state.
  /// The message has the number of the case: its place in the block, from 0, plus CaseBlock::first.
  /// Rows of files are refused for the same reasons. Findings that exclude each other are no error:
  /// the case has probability zero. Equal weights for all states say nothing about the variable. A
  /// CaseBlock that was not made by CaseProgram::block begins with weights of 0.
  void run(const CaseBlock &block, CaseAnswers &answers);
  /// Does the same, but cases whose params or values are refused are in CaseAnswers::refused. The
  /// other cases are answered.
  void runSkipping(const CaseBlock &block, CaseAnswers &answers);

  /// Returns where cases and answers lie in device memory (dsl/support/cases/device_cases.h). The
  /// layout is valid until the next call of bind. Throws Error(Unsupported)
  /// - if the engine is not lanes on a GPU (device "gpu", ExpectedCases::onDevice);
  /// - if cases set params, whose tables are computed on the host. CaseOptions::tables takes such
  ///   tables from the device instead.
  DeviceCaseLayout deviceLayout();
  /// Answers a block with that layout, without a copy. `stream`: a CUstream (or cudaStream_t) of
  /// the device's primary context, not being captured. The work begins when all earlier work on the
  /// stream is done; later work on the stream begins when the answers are there. The call allocates
  /// memory the first time; otherwise it does not wait for the device. So the arrays must stay
  /// valid until the stream has reached the end of this work. The shape of the block is checked:
  /// Error(Usage). Its values are not. Errors of the device are thrown by the next call that waits
  /// for it.
  void runOnDevice(const DeviceCaseBlock &block, void *stream);
  /// Answers cases in arrays of the host program, which kernels read and write where they lie
  /// (dsl/support/cases/device_arrays.h). Streams and errors are those of the call above, and codes
  /// are checked: a case with a wrong number gets NaN. Throws Error(Unsupported) also if cases have
  /// weights.
  void runArrays(const DeviceCaseArrays &arrays, void *stream);
  /// Returns how many cases of all such arrays so far have no answer. Waits for them.
  DeviceCaseCounts deviceCounts();

  /// Returns text for people: "cpu (avx2, 2 threads)". With tables or single runs it describes the
  /// last run.
  std::string deviceName();
  const CaseCounts &counts() const;
  /// Returns how many cases take as long as planning the query once more, by prediction. A program
  /// for fewer observable variables pays after about as many. A loaded program has no model to
  /// plan: the largest number.
  uint64_t casesPerPlan() const;
  /// Returns the microseconds that a case takes, by prediction. A loaded program: 0.
  double caseUs() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf
