// Cases of `observe batch file("cases.csv")`.
#include "dsl/model/build_evidence.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/state_ref.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <string_view>

namespace mpf {

namespace {

struct Cell {
  std::string text;
  SourceRange range;
};

class CaseReader {
public:
  CaseReader(BuildContext &context, EvidenceBatch &batch) : context_(context), batch_(batch) {}

  void read() {
    const std::string_view text = context_.source->text();
    bool header = true;
    for (size_t at = 0; at < text.size() && !context_.diagnostics.full();) {
      const size_t newline = std::min(text.find('\n', at), text.size());
      const std::vector<Cell> cells = splitLine(text.substr(at, newline - at), at);
      at = newline + 1;
      if (cells.size() == 1 && cells[0].text.empty())
        continue; // an empty line
      if (!header)
        readCase(cells);
      else if (!readHeader(cells))
        return;
      header = false;
      if (batch_.rows.size() * batch_.variables.size() > context_.options.limits.maxBatchEntries)
        return context_.error(cells[0].range, "the cases have more than {} entries, the limit",
                              context_.options.limits.maxBatchEntries);
    }
    if (header)
      context_.error({}, "the file of cases is empty, its first line should name variables");
  }

private:
  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  static std::vector<Cell> splitLine(std::string_view line, size_t start) {
    std::vector<Cell> cells;
    size_t at = 0;
    for (;;) {
      while (at < line.size() && isBlank(line[at]))
        ++at;
      Cell cell;
      cell.range.begin = static_cast<uint32_t>(start + at);
      if (at < line.size() && line[at] == '"') {
        // Inside quotes "" is one quote; a missing closing quote ends with the line.
        for (++at; at < line.size(); ++at) {
          if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"'))
            break;
          at += line[at] == '"';
          cell.text += line[at];
        }
      }
      const size_t comma = std::min(line.find(',', at), line.size());
      if (cell.text.empty())
        cell.text = line.substr(at, comma - at);
      while (!cell.text.empty() && isBlank(cell.text.back()))
        cell.text.pop_back();
      cell.range.end = static_cast<uint32_t>(start + comma);
      cells.push_back(std::move(cell));
      if (comma == line.size())
        return cells;
      at = comma + 1;
    }
  }

  /// "rain" or "s[0][1]".
  std::optional<VarId> column(const Cell &cell) {
    if (const auto *scalar = context_.symbols.findAs<VariableSymbol>(cell.text))
      if (scalar->dims.empty())
        return scalar->first;
    const IndexedName name = splitIndexedName(cell.text);
    const auto *array = context_.symbols.findAs<VariableSymbol>(name.base);
    if (array && !name.indices.empty() && name.indices.size() == array->dims.size()) {
      uint64_t offset = 0;
      bool inside = true;
      for (size_t axis = 0; axis < array->dims.size(); ++axis) {
        inside &= name.indices[axis] < array->dims[axis];
        offset = offset * array->dims[axis] + (inside ? name.indices[axis] : 0);
      }
      if (inside)
        return VarId(array->first.index() + offset);
    }
    reportUnknown(context_, cell.range,
                  fmt::format("no variable is called '{}'", excerpt(cell.text)),
                  context_.symbols.hintFor<VariableSymbol>(cell.text));
    return std::nullopt;
  }

  bool readHeader(const std::vector<Cell> &cells) {
    std::vector<bool> seen(context_.model.variables.size(), false);
    for (const Cell &cell : cells) {
      const auto id = column(cell);
      if (!id)
        return false;
      if (seen[id->index()]) {
        context_.error(cell.range, "'{}' is a column twice", excerpt(cell.text));
        return false;
      }
      seen[id->index()] = true;
      batch_.variables.push_back(*id);
    }
    return true;
  }

  void readCase(const std::vector<Cell> &cells) {
    if (cells.size() != batch_.variables.size())
      return context_.error(cells[0].range, "a case with {} cells, the header has {}", cells.size(),
                            batch_.variables.size());
    std::vector<uint32_t> row;
    row.reserve(cells.size());
    for (size_t i = 0; i < cells.size(); ++i) {
      const VarId id = batch_.variables[i];
      std::optional<uint32_t> state = EvidenceBatch::kNoState;
      if (!cells[i].text.empty()) {
        const auto number = parseUnsigned(cells[i].text);
        const bool isLabel = context_.domains[id.index()]->stateOf.contains(cells[i].text);
        state = number && !isLabel ? stateWithIndex(context_, id, *number, cells[i].range)
                                   : stateWithLabel(context_, id, cells[i].text, cells[i].range);
      }
      if (!state)
        return;
      row.push_back(*state);
    }
    batch_.rows.push_back(std::move(row));
  }

  BuildContext &context_;
  EvidenceBatch &batch_;
};

} // namespace

void addBatch(BuildContext &context, const ast::ObserveBatchDecl &decl) {
  if (context.model.batch)
    return context.error(decl.path.range, "a second batch of cases: a model has at most one");
  EvidenceBatch &batch = context.model.batch.emplace();
  const std::string path = resolvePath(context, decl.path.text);
  if (!context.options.files.readText)
    return context.error(decl.path.range, "files of cases cannot be read here");
  std::shared_ptr<const SourceBuffer> cases;
  try {
    std::string text = context.options.files.readText(path);
    if (text.size() >= UINT32_MAX)
      return context.error(decl.path.range, "the file of cases has {} bytes, the limit is {}",
                           text.size(), UINT32_MAX - 1);
    cases = std::make_shared<const SourceBuffer>(path, std::move(text));
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    return context.error(decl.path.range, "{}", error.what());
  }
  // What is wrong in the cases is shown with their own lines.
  std::swap(context.source, cases);
  CaseReader(context, batch).read();
  std::swap(context.source, cases);
}

} // namespace mpf
