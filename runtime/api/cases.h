// Lists of cases for host programs: one query, answered for row after row of evidence.
//
// A CaseProgram is a query compiled for cases; a CaseSession answers blocks of them. Which
// variables a case observes is free in every case: nothing is compiled again.
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
// Columns may be filled directly as well (dsl/support/cases/case_block.h): a code is a state, or
// the variable's extent where a case does not observe it.
//
// Errors, threads: as runtime/api/mpf.h. Linking: mpf::mpf; inside this project mpf::jit.
#pragma once

#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/device_cases.h"
#include "runtime/api/session.h"
#include "runtime/result/case_answers.h"
#include "runtime/result/case_counts.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct LaneProgram;  // codegen/bundle/lanes/lane_program.h
class CaseFormulas;  // dsl/formats/cases/tables/case_formulas.h
struct CaseQuestion; // runtime/engine/case_question.h

/// A query compiled for lists of cases. Cheap to copy: copies share the same immutable data.
class CaseProgram {
public:
  /// `formulas`: of cases that set params; the program's schema is theirs. Null: no case does.
  /// `question`: what `program` answers, also where lanes do not; null: it was loaded.
  explicit CaseProgram(std::shared_ptr<const LaneProgram> program,
                       std::shared_ptr<const CaseFormulas> formulas = nullptr,
                       std::shared_ptr<const CaseQuestion> question = nullptr);

  /// Where lanes do not answer the query, what it says of variables and columns, without steps.
  const LaneProgram &program() const { return *program_; }
  const std::shared_ptr<const LaneProgram> &share() const { return program_; }
  /// Writes a .mpfb file for loadCases and `mpfc run --cases`. Throws Error(BadInput), and
  /// Error(Unsupported) where lanes do not answer the query.
  void save(const std::string &path) const;
  const CaseFormulas *formulas() const { return formulas_.get(); }
  const std::shared_ptr<const CaseQuestion> &question() const { return question_; }
  /// The columns of a block, in the order of CaseOptions.
  const CaseSchema &schema() const;
  /// The column of a variable that cases may observe. Error(Usage) for others.
  size_t columnOf(std::string_view variable) const;

  /// Memory for up to `cases` cases, none of which observes anything or sets a param (NaN: what the
  /// model says, a value or what follows from other params of the case; a session takes no NaN of
  /// one that is swept); weights, and entries of tables, are 1. Its count is 0.
  CaseBlock block(uint32_t cases) const;
  /// Case `i` of the block observes the variable, in a state given by its number, from 0, or by its
  /// label: a text is a label and nothing else, also where it looks like a number.
  void observe(CaseBlock &block, uint32_t i, std::string_view variable, uint32_t state) const;
  void observe(CaseBlock &block, uint32_t i, std::string_view variable,
               std::string_view label) const;

  /// Case `i` of the block sets the param. Error(Usage) for params that cases do not set.
  void setParam(CaseBlock &block, uint32_t i, std::string_view param, double value) const;

private:
  std::shared_ptr<const LaneProgram> program_;
  std::shared_ptr<const CaseFormulas> formulas_;
  std::shared_ptr<const CaseQuestion> question_;
};

/// What cases set.
struct CaseOptions {
  /// Variables that a case may observe; empty: all that the model does not observe itself.
  std::vector<std::string> observable;
  /// Variables on whose states a case gives weights (soft evidence).
  std::vector<std::string> likelihoods;
  /// Params that a case sets: tables that depend on them are computed for each case.
  std::vector<std::string> params;
  /// Factors whose entries each case gives (CaseSchema::tables), row-major over the scope.
  std::vector<std::string> tables;
};

/// Compile a query of a model for cases, as compileText and compileFile compile it for single runs.
/// The model's own evidence holds in every case. `options` are read as there, but for
/// `expectedRuns`, `keepMessages` and `autotune`; with `device` "gpu" lanes are planned for one.
/// Error(Unsupported) for queries that decode several assignments.
CaseProgram compileCasesText(std::string_view text, const CaseOptions &cases = {},
                             const CompileOptions &options = {});
CaseProgram compileCasesFile(const std::string &path, const CaseOptions &cases = {},
                             const CompileOptions &options = {});

/// Reads what CaseProgram::save or `mpfc build` of a model with a list of cases wrote; nothing is
/// planned. Error(BadInput) for damaged files, and for files that answer single cases
/// (loadProgram).
CaseProgram loadCases(const std::string &path);

/// How much a session will have to do.
struct ExpectedCases {
  /// In all blocks together, about; none: 10,000. What takes its time before the first case (to
  /// bring a GPU up, to compile kernels) must pay over these.
  std::optional<uint64_t> rows;
};

/// Answers cases, any number of blocks.
///
/// By the engine that `mpfc run --cases` would take (runtime/engine/choose_engine.h): side by side
/// in lanes, in tables of many cases, or one case after the other. A program that was loaded has
/// lanes alone. Which one it is changes at most the last digits of answers.
class CaseSession {
public:
  /// `options` as for Session, without `profile`. With device "auto" it is the machine's GPU where
  /// that is predicted to pay clearly, and should it fail, the CPU goes on. Throws as making a
  /// Session does; Error(MemoryBound) where the memory does not hold one case.
  explicit CaseSession(const CaseProgram &program, const SessionOptions &options = {},
                       const ExpectedCases &expected = {});
  ~CaseSession();
  CaseSession(CaseSession &&) noexcept;
  CaseSession &operator=(CaseSession &&) noexcept;

  /// As Session::bind: new values of any factor that cases do not set. Tables that all cases share
  /// are computed anew.
  void bind(std::string_view factor, std::span<const double> values);

  /// Answers every case of a block of the program's columns: the tables that single runs have, and
  /// posteriors of observed variables too. `answers` keeps its memory from block to block.
  /// Error(Usage) for a block of other columns, for codes above the variable's extent, for weights
  /// that are negative or not finite or, where the query counts, no whole numbers, for weights of a
  /// likelihood that are all zero in a case, and for params that make a table that is none: an
  /// infinite entry, a row of a `prob` that does not sum to 1, soft evidence without a possible
  /// state. So a row of a file is a bad one for the same reasons; findings that exclude each other
  /// are none: they make a case of probability zero. Weights of a new block are 0; 1 for each state
  /// says nothing of a variable.
  void run(const CaseBlock &block, CaseAnswers &answers);

  /// Of cases in the memory of a GPU (dsl/support/cases/device_cases.h): where everything is to be.
  /// Error(Unsupported) where the session's engine is not lanes on a GPU (device "gpu", a query
  /// that lanes answer), and where cases set params: their tables are computed on the host, a
  /// program of CaseOptions::tables has them on the device. It holds until the next call of bind.
  DeviceCaseLayout deviceLayout();
  /// Answers a block of that layout, without a copy. `stream`: a CUstream (or cudaStream_t) of the
  /// device's primary context, not being captured. The work begins when what is on the stream now
  /// is done, and what comes on it later begins when the answers are there; the call itself waits
  /// for nothing, but for memory that it takes the first time. So the arrays must live until the
  /// stream has come that far. Nothing in the block is checked but its shape: Error(Usage). What
  /// goes wrong on the device is told by the next call that waits for the stream.
  void runOnDevice(const DeviceCaseBlock &block, void *stream);

  /// For people: "cpu (avx2, 2 threads)"; of tables and single runs that of the last run.
  std::string deviceName();
  const CaseCounts &counts() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf
