// The lines of a program's head, for the readers of all forms. print_head.h describes them.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "dsl/source/line_reader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Tables of entries that are kept beside a text: those of its `stored` values, in order.
using StoredEntries = std::vector<std::shared_ptr<const std::vector<double>>>;

/// Reads a head from lines. Member functions report what they do not find; the reader then ignores
/// the rest of the text. Not thread-safe.
class HeadLines {
public:
  /// Fills `head`. `nextStored` counts the tables of `stored` that were taken. All must outlive the
  /// object.
  HeadLines(LineReader &reader, Diagnostics &diagnostics, ProgramHead &head,
            const StoredEntries &stored, size_t &nextStored)
      : reader_(reader), diagnostics_(diagnostics), head_(head), stored_(stored),
        nextStored_(nextStored), errorsBefore_(diagnostics.errorCount()) {}

  bool ok() const { return diagnostics_.errorCount() == errorsBefore_; }

  /// Reads the rest of the line 'FORM NAME KIND TYPE', up to what the form adds to it.
  void readHeadLine();

  /// Reads the current line if it is one of the head.
  bool readLine();

  /// Completes the head when all lines were read.
  void finishHead();

protected:
  void error(const std::string &message) { diagnostics_.error(reader_.here(), "{}", message); }

  std::optional<VarId> takeVariable();
  uint32_t extentOf(VarId id) const { return head_.variables[id.index()].extent; }

  /// Returns the stored entries, or the entries that later lines will fill.
  std::shared_ptr<const std::vector<double>> takeEntries();
  /// Ends the values that are being read.
  void endEntries() { entries_ = nullptr; }

  static constexpr uint64_t kMost32 = UINT32_MAX - 1; ///< no number of a text is greater

  LineReader &reader_;
  Diagnostics &diagnostics_;

private:
  void readVariable();

  /// Reads "fixed=STATE" or "observed=STATE" of the variable that comes next.
  bool readFinding();
  void readColumn(std::vector<CaseVariable> &columns);
  void readObserved() { readColumn(head_.schema.observed); }
  void readLikelihood() { readColumn(head_.schema.likelihoods); }
  void readParam();
  void readVarying();
  void readEntries();
  void readParameter();

  /// Values of the parameter before it.
  void readSweep();
  void readInput();
  void readFormula();
  void readPart();

  /// Sets CaseFormula::nonNegative from the lines 'varying'. The last of these lines are the tables
  /// of the formulas.
  void finishFormulas();

  /// The rest of the line.
  void readExpression(Expression &expression);

  ProgramHead &head_;
  const StoredEntries &stored_;
  size_t &nextStored_;
  std::shared_ptr<std::vector<double>> entries_;        ///< of the values that are being read
  std::vector<std::shared_ptr<TableFormula>> formulas_; ///< those of the program
  std::vector<Observation> observations_;
  std::vector<char> isFixed_; ///< by variable: its finding is fixed
  const size_t errorsBefore_;
};

} // namespace mpf
