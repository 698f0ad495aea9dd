#include "codegen/bundle/lanes/read_lane_program.h"

#include "codegen/bundle/lanes/lane_lines.h"
#include "codegen/bundle/lanes/verify_lane_program.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/support/text/call_for_word.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Reads one program: the line 'lanes' that `reader` is at, and the lines up to the next such line.
class Reader : LaneLines {
public:
  Reader(LineReader &reader, Diagnostics &diagnostics, const StoredEntries &stored,
         size_t &nextStored)
      : LaneLines(reader, diagnostics, stored, nextStored) {}

  /// Reads a program. `more` becomes true if `reader` is at a line afterwards.
  std::optional<ReadLaneProgram> read(bool &more) {
    const SourcePlace place = reader_.here();
    readHead();
    reader_.expectEndOfLine();
    while (ok() && (more = reader_.next()) && reader_.keyword().text != "lanes") {
      readLine();
      if (ok())
        reader_.expectEndOfLine();
    }
    if (ok())
      finish(place);
    return ok() ? std::optional(ReadLaneProgram{std::move(program_), place}) : std::nullopt;
  }

private:
  void finish(const SourcePlace &place) {
    for (LaneValues &values : program_.values)
      if (values.values != nullptr && values.values->empty()) // no entries: to be bound
        values.values = nullptr;
    finishHead();
    try {
      verifyLanes(program_);
    } catch (const Error &fault) {
      diagnostics_.error(place, "{}", fault.what());
    }
  }

  void readHead() {
    readHeadLine();
    const auto word = ok() ? reader_.takeWord("a semiring") : std::nullopt;
    const auto semiring = word ? semiringNamed(*word) : std::nullopt;
    if (word && !semiring)
      error("no semiring: expected sum-product or max-product");
    if (semiring)
      program_.semiring = *semiring;
  }

  void readLine() {
    using Read = void (Reader::*)();
    constexpr std::pair<std::string_view, Read> kLines[] = {
        {"asked", &Reader::readAsked},   {"values", &Reader::readValues},
        {"table", &Reader::readTable},   {"common", &Reader::readCommon},
        {"step", &Reader::readStep},     {"operand", &Reader::readOperand},
        {"result", &Reader::readResult}, {"gather", &Reader::readGather},
        {"output", &Reader::readOutput}, {"traceback", &Reader::readTraceback},
        {"factor", &Reader::readFactor}, {"rows", &Reader::readRows}};
    if (HeadLines::readLine() || callForWord(kLines, reader_.keyword().text, *this))
      return;
    error(
        "expected lanes, variable, observed, likelihood, param, varying, input, parameter, sweep, "
        "formula, part, asked, rows, values, entries, table, common, step, operand, result, "
        "gather, output, traceback or factor");
  }

  void readAsked() {
    LaneAsked &asked = program_.asked.emplace_back();
    while (ok() && !reader_.atEndOfLine())
      if (const auto id = takeVariable())
        asked.variables.push_back(*id);
  }

  void readRows() {
    if (program_.asked.empty())
      return error("expected asked before rows");
    LaneAsked &asked = program_.asked.back();
    const auto count = reader_.takeUnsigned("number of variables of rows", asked.variables.size());
    asked.rowVariables = static_cast<uint32_t>(count.value_or(0));
  }

  void readValues() {
    constexpr std::string_view kFactor = "factor=";
    LaneValues values;
    auto word = reader_.takeWord("factor=NAME or elems=COUNT");
    if (word && word->starts_with(kFactor)) {
      values.factor = word->substr(kFactor.size());
      word = reader_.takeWord("elems=COUNT");
    }
    if (!word)
      return;
    constexpr std::string_view kElems = "elems=";
    const auto elems = word->starts_with(kElems)
                           ? parseUnsigned(std::string_view(*word).substr(kElems.size()))
                           : std::nullopt;
    if (!elems)
      return error("expected elems=COUNT");
    values.sizeElems = *elems;
    if (reader_.nextHasKey("row"))
      values.rowElems = reader_.takeUnsignedKey("row", UINT32_MAX).value_or(0);
    values.values = takeEntries();
    if (ok())
      program_.values.push_back(std::move(values));
  }

  void readTable() {
    using enum LaneTableKind;
    endEntries();
    const auto name = reader_.takeWord("the table's name");
    const auto kind =
        name ? reader_.takeWord("values, indicator, weights, common or message") : std::nullopt;
    if (!kind)
      return;
    LaneTable table;
    table.name = *name;
    if (*kind == "common" || *kind == "message") {
      table.kind = *kind == "common" ? Common : Message;
      table.sizeElems = reader_.takeUnsignedKey("elems", UINT64_MAX - 1).value_or(0);
      if (ok() && table.kind == Message)
        table.offsetElems = reader_.takeUnsignedKey("at", UINT64_MAX - 1).value_or(0);
      program_.laneElems =
          std::max(program_.laneElems,
                   table.kind == Message ? saturatingAdd(table.offsetElems, table.sizeElems) : 0);
    } else if (*kind == "values") {
      table.kind = Values;
      takeSource(table, program_.values.size(),
                 [&](uint32_t number) { return program_.values[number].sizeElems; });
    } else if (*kind == "indicator") {
      table.kind = Indicator;
      takeSource(table, program_.schema.observed.size(), [&](uint32_t number) {
        const uint64_t states = program_.schema.observed[number].extent;
        return (states + 1) * states;
      });
    } else if (*kind == "weights") {
      table.kind = Weights;
      takeSource(table, program_.schema.weightTableCount(),
                 [&](uint32_t number) { return program_.schema.weightTableElems(number); });
    } else {
      return error("expected values, indicator, weights, common or message");
    }
    program_.tables.push_back(std::move(table));
  }

  template <class SizeOf> void takeSource(LaneTable &table, size_t sources, SizeOf sizeOf) {
    if (sources == 0)
      return error("there is nothing yet that the table may be of");
    const auto number = reader_.takeUnsigned("number", sources - 1);
    if (!number)
      return;
    table.source = static_cast<uint32_t>(*number);
    table.sizeElems = sizeOf(table.source);
  }

  void readOperation(bool isCommon) {
    endEntries();
    LaneOperation operation;
    operation.semiring = program_.semiring;
    const auto result = takeTable();
    if (!result)
      return;
    operation.result.table = *result;
    bool more = false;
    if (reader_.acceptLiteral("kept"))
      for (const uint64_t extent : takeNumbers("an extent", "reduced", more))
        operation.digits.push_back({extent, false});
    if (more || reader_.acceptLiteral("reduced"))
      for (const uint64_t extent : takeNumbers("an extent", "", more))
        operation.digits.push_back({extent, true});
    isCommon_ = isCommon;
    if (isCommon)
      program_.commonOperations.push_back(std::move(operation));
    else
      program_.steps.emplace_back(std::move(operation));
  }
  void readCommon() { readOperation(true); }
  void readStep() { readOperation(false); }

  /// Returns the operation that earlier lines began; null, with an error, if there is none.
  LaneOperation *current() {
    if (isCommon_ && *isCommon_)
      return &program_.commonOperations.back();
    if (isCommon_)
      return &std::get<LaneOperation>(program_.steps.back());
    error("operands and results come after a line 'common' or 'step'");
    return nullptr;
  }

  void readOperand() {
    LaneOperation *const operation = current();
    const auto table = operation != nullptr ? takeTable() : std::nullopt;
    const auto base = table ? reader_.takeUnsignedKey("base", UINT64_MAX) : std::nullopt;
    if (!base)
      return;
    operation->operands.push_back({*table, *base, {}});
    takeStrides(operation->operands.back().stridesElems);
  }

  void readResult() {
    if (LaneOperation *const operation = current())
      takeStrides(operation->result.stridesElems);
    isCommon_.reset();
  }

  void readGather() {
    isCommon_.reset();
    const auto message = takeTable();
    const auto table = message && reader_.takeLiteral("from") ? takeTable() : std::nullopt;
    if (!table || !reader_.takeLiteral("codes"))
      return;
    LaneGather gather{*table, *message, {}};
    while (ok() && !reader_.atEndOfLine()) {
      const std::string word = reader_.takeWord("COLUMN:STRIDE").value_or("");
      const auto colon = static_cast<size_t>(std::ranges::find(word, ':') - word.begin());
      const auto column = parseUnsigned(std::string_view(word).substr(0, colon));
      const auto stride = colon == word.size()
                              ? std::nullopt
                              : parseUnsigned(std::string_view(word).substr(colon + 1));
      if (!column || !stride || *column > kMost32)
        return error("expected COLUMN:STRIDE");
      gather.codes.push_back({static_cast<uint32_t>(*column), *stride});
    }
    program_.steps.emplace_back(std::move(gather));
  }

  void readOutput() {
    LaneOutput output;
    const auto name = reader_.takeWord("the output's name");
    const auto table = name && reader_.takeLiteral("table") ? takeTable() : std::nullopt;
    if (!table)
      return;
    output.name = *name;
    output.access.table = *table;
    output.normalised = reader_.acceptLiteral("normalised");
    takeScope(output.scope, output.access.stridesElems);
    for (const VarId id : output.scope)
      output.extents.push_back(extentOf(id));
    program_.outputs.push_back(std::move(output));
  }

  void readTraceback() {
    if (const auto id = takeVariable())
      program_.traceback.push_back({*id, {}});
  }

  void readFactor() {
    if (program_.traceback.empty())
      return error("factors come after a line 'traceback'");
    const auto table = takeTable();
    const auto base = table ? reader_.takeUnsignedKey("base", UINT64_MAX) : std::nullopt;
    if (!base)
      return;
    LaneTraceback::Table read{{*table, *base, {}}, {}};
    takeScope(read.scope, read.access.stridesElems);
    program_.traceback.back().tables.push_back(std::move(read));
  }

  std::optional<bool> isCommon_; ///< the operation that is being read; none: no operation is
};

} // namespace

std::optional<std::vector<ReadLaneProgram>>
readLanePrograms(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                 const StoredEntries &stored) {
  LineReader lines(std::move(buffer), diagnostics);
  std::vector<ReadLaneProgram> programs;
  size_t nextStored = 0;
  bool more = lines.next();
  if (!more || lines.keyword().text != "lanes") {
    diagnostics.error(lines.here(), "expected a line 'lanes NAME KIND TYPE SEMIRING'");
    return std::nullopt;
  }
  while (more) {
    more = false;
    std::optional<ReadLaneProgram> program =
        Reader(lines, diagnostics, stored, nextStored).read(more);
    if (!program)
      return std::nullopt;
    programs.push_back(std::move(*program));
  }
  if (nextStored != stored.size()) {
    diagnostics.error(lines.here(), "{} tables are stored, {} are used", stored.size(), nextStored);
    return std::nullopt;
  }
  return programs;
}

} // namespace mpf
