#include "runtime/c/case_columns.h"

#include "dsl/formats/cases/host/number_column.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"
#include "runtime/c/call.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace mpf::c {

namespace {

constexpr const char *kHint = "the option \"states\" with the value \"labels\" reads numbers as "
                              "labels, with \"numbers\" as the numbers of states";

/// Returns the type of a column's numbers; none: texts. Throws Error(Usage) for other types.
std::optional<NpyType> numberTypeOf(const mpf_column &column) {
  switch (column.type) {
  case MPF_INT8:
    return NpyType{NpyKind::Signed, 1, false};
  case MPF_UINT8:
    return NpyType{NpyKind::Unsigned, 1, false};
  case MPF_INT16:
    return NpyType{NpyKind::Signed, 2, false};
  case MPF_UINT16:
    return NpyType{NpyKind::Unsigned, 2, false};
  case MPF_INT32:
    return NpyType{NpyKind::Signed, 4, false};
  case MPF_UINT32:
    return NpyType{NpyKind::Unsigned, 4, false};
  case MPF_INT64:
    return NpyType{NpyKind::Signed, 8, false};
  case MPF_UINT64:
    return NpyType{NpyKind::Unsigned, 8, false};
  case MPF_FLOAT:
    return NpyType{NpyKind::Float, 4, false};
  case MPF_DOUBLE:
    return NpyType{NpyKind::Float, 8, false};
  case MPF_BOOL:
    return NpyType{NpyKind::Bool, 1, false};
  case MPF_TEXT:
    return std::nullopt;
  default:
    fail(ErrorKind::Usage, "column '{}': there is no type {}", excerpt(column.variable),
         column.type);
  }
}

const char *cellOf(const mpf_column &column, uint64_t row) {
  return static_cast<const char *>(column.data) + static_cast<int64_t>(row) * column.stride_bytes;
}

double numberAt(const NpyType &type, const char *cell) {
  double number = 0;
  withItem(type, [&](auto item) {
    std::memcpy(&item, cell, sizeof(item));
    number = static_cast<double>(item);
  });
  return number;
}

[[noreturn]] void failCell(const mpf_column &column, uint64_t row, const std::string &why) {
  fail(ErrorKind::BadInput, "row {}, column '{}': {}", row, excerpt(column.variable), why);
}

} // namespace

CaseColumns::CaseColumns(const CaseProgram &program, NumberReading reading)
    : program_(program), reading_(reading) {
  const std::vector<VariableInfo> variables = program.variables();
  for (const CaseVariable &observed : program.schema().observed) {
    const VariableInfo &info = variables[observed.variable.index()];
    Variable &variable = variables_.emplace_back();
    variable.name = info.name;
    columns_.emplace(info.name, columns_.size());
    variable.extent = info.states;
    variable.labels = info.labels;
  }
}

size_t CaseColumns::columnOf(const char *variable) const {
  const auto known = columns_.find(std::string_view(variable));
  return known != columns_.end() ? known->second : program_.columnOf(variable); // which throws
}

CaseColumns::Source CaseColumns::sourceOf(const mpf_column &column, bool hasRows) {
  required(column.variable, "the variable of a column");
  numberTypeOf(column);
  if (hasRows)
    required(column.data, "the data of a column");
  const size_t place = columnOf(column.variable);
  const auto reader = readers_.try_emplace(place, variables_[place], reading_, kHint).first;
  return {column, place, &reader->second};
}

void CaseColumns::start(std::span<const mpf_column> columns, bool hasRows) {
  sources_.clear();
  std::vector<char> isGiven(variables_.size(), 0);
  for (const mpf_column &column : columns) {
    sources_.push_back(sourceOf(column, hasRows));
    char &given = isGiven[sources_.back().column];
    if (given != 0)
      fail(ErrorKind::Usage, "variable {} has two columns", excerpt(column.variable));
    given = 1;
  }
}

void CaseColumns::clearOthers(CaseBlock &block) {
  for (const Source &source : sources_)
    filled_.erase(source.column);
  for (const size_t column : filled_)
    for (uint32_t i = 0; i < block.pitch(); ++i)
      block.setCode(column, i, variables_[column].extent);
  filled_.clear();
  for (const Source &source : sources_) // a wrong cell may end the call before they are filled
    filled_.insert(source.column);
}

void CaseColumns::fill(CaseBlock &block) {
  clearOthers(block);
  for (const Source &source : sources_) {
    if (source.cells.type == MPF_TEXT)
      fillTexts(source, block);
    else
      fillNumbers(source, block);
  }
}

void CaseColumns::fillTexts(const Source &source, CaseBlock &block) const {
  for (uint32_t i = 0; i < block.count; ++i) {
    const char *text = nullptr;
    std::memcpy(&text, cellOf(source.cells, block.first + i), sizeof(text));
    const std::string_view label = text == nullptr ? std::string_view() : text;
    const uint32_t code = source.reader->ofText(label);
    if (code == kNoCode)
      failCell(source.cells, block.first + i, source.reader->problemOf(label));
    block.setCode(source.column, i, code);
  }
}

void CaseColumns::fillNumbers(const Source &source, CaseBlock &block) const {
  const NpyType type = *numberTypeOf(source.cells);
  const NumberCells cells{cellOf(source.cells, block.first), source.cells.stride_bytes, type};
  const int64_t wrong = setNumbers(*source.reader, cells, {block, source.column, 0, block.count});
  if (wrong < 0)
    return;
  const uint64_t row = block.first + static_cast<uint64_t>(wrong);
  failCell(source.cells, row, source.reader->problemOf(numberAt(type, cellOf(source.cells, row))));
}

} // namespace mpf::c
