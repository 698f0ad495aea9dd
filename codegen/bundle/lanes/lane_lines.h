// The base class of the reader of lane programs: it reads numbers of tables and variables, and
// lists.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/source/line_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Member functions report what they do not find; the reader then ignores the rest of the text.
/// Not thread-safe.
class LaneLines {
protected:
  LaneLines(LineReader &reader, Diagnostics &diagnostics)
      : reader_(reader), diagnostics_(diagnostics), errorsBefore_(diagnostics.errorCount()) {}

  bool ok() const { return diagnostics_.errorCount() == errorsBefore_; }
  void error(const std::string &message) { diagnostics_.error(reader_.here(), "{}", message); }

  std::optional<VarId> takeVariable() {
    if (program_.variables.empty()) {
      error("there is no variable yet");
      return std::nullopt;
    }
    const auto number = reader_.takeUnsigned("variable", program_.variables.size() - 1);
    return number ? std::optional(VarId{static_cast<size_t>(*number)}) : std::nullopt;
  }

  std::optional<uint32_t> takeTable() {
    if (program_.tables.empty()) {
      error("there is no table yet");
      return std::nullopt;
    }
    const auto number = reader_.takeUnsigned("table", program_.tables.size() - 1);
    return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
  }

  uint32_t extentOf(VarId id) const { return program_.variables[id.index()].extent; }

  /// Numbers up to the end of the line or the word `stop`, which is taken.
  std::vector<uint64_t> takeNumbers(const char *what, const char *stop, bool &stopped) {
    std::vector<uint64_t> list;
    stopped = false;
    while (ok() && !reader_.atEndOfLine() && !(stopped = *stop != 0 && reader_.acceptLiteral(stop)))
      list.push_back(reader_.takeUnsigned(what, UINT64_MAX).value_or(0));
    return list;
  }

  void takeStrides(std::vector<uint64_t> &strides) {
    bool stopped = false;
    if (ok() && reader_.takeLiteral("strides"))
      strides = takeNumbers("a stride", "", stopped);
  }

  /// "scope 2 0 strides 1 3"
  void takeScope(std::vector<VarId> &scope, std::vector<uint64_t> &strides) {
    if (!ok() || !reader_.takeLiteral("scope"))
      return;
    bool more = false;
    while (ok() && !reader_.atEndOfLine() && !(more = reader_.acceptLiteral("strides")))
      if (const auto id = takeVariable())
        scope.push_back(*id);
    if (ok() && !more)
      error("expected strides");
    if (ok())
      strides = takeNumbers("a stride", "", more);
  }

  LineReader &reader_;
  Diagnostics &diagnostics_;
  LaneProgram program_;

private:
  const size_t errorsBefore_;
};

} // namespace mpf
