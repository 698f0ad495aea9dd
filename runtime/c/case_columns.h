// Columns of cells for C, as codes of a block of cases.
#pragma once

#include "dsl/formats/cases/host/state_reader.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/api/cases.h"
#include "runtime/c/mpf_c.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace mpf::c {

/// Reads the columns of calls. It keeps the readers of variables from call to call.
class CaseColumns {
public:
  /// `reading`: the meaning of numbers where labels look like numbers.
  CaseColumns(const CaseProgram &program, NumberReading reading);

  /// Begins a call. Throws Error(Usage) for columns that are wrong as such; no cell is read.
  void start(std::span<const mpf_column> columns, bool hasRows);
  /// Sets the codes of the cases of a block, whose `first` and `count` are set. Throws
  /// Error(BadInput) with row and column for a cell that is no state.
  void fill(CaseBlock &block);

private:
  /// A column of a call, and the column of blocks that it sets.
  struct Source {
    mpf_column cells;
    size_t column = 0;
    const StateReader *reader = nullptr;
  };

  /// Takes the findings of earlier calls away, except in columns that are filled again.
  void clearOthers(CaseBlock &block);
  Source sourceOf(const mpf_column &column, bool hasRows);
  size_t columnOf(const char *variable) const;
  void fillTexts(const Source &source, CaseBlock &block) const;
  void fillNumbers(const Source &source, CaseBlock &block) const;

  CaseProgram program_;
  NumberReading reading_;
  std::vector<Variable> variables_;                    ///< by column of blocks
  std::map<std::string, size_t, std::less<>> columns_; ///< of blocks, by variable
  std::map<size_t, StateReader> readers_;
  std::vector<Source> sources_;
  std::set<size_t> filled_; ///< columns of the block that may have codes of cases
};

} // namespace mpf::c
