// The base class of the reader of lane programs: it reads numbers of tables and variables, and
// lists.
#pragma once

#include "codegen/bundle/head/head_lines.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The program that is being read. It is a base of LaneLines, so that it exists before HeadLines.
struct LanesInWork {
  LaneProgram program_;
};

/// Its member functions follow the rules of HeadLines.
class LaneLines : protected LanesInWork, protected HeadLines {
protected:
  LaneLines(LineReader &reader, Diagnostics &diagnostics, const StoredEntries &stored,
            size_t &nextStored)
      : HeadLines(reader, diagnostics, program_, stored, nextStored) {}

  std::optional<uint32_t> takeTable() {
    if (program_.tables.empty()) {
      error("there is no table yet");
      return std::nullopt;
    }
    const auto number = reader_.takeUnsigned("table", program_.tables.size() - 1);
    return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
  }

  /// Takes numbers up to the end of the line, or up to the word `stop` and that word too.
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
};

} // namespace mpf
