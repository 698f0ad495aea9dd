#include "dsl/formats/cases/npy_cases.h"

#include "dsl/formats/cases/chunked_cases.h"
#include "dsl/formats/cases/npy_readers.h"
#include "dsl/formats/cases/placed_cases.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

namespace {

class NpyOpener {
public:
  NpyOpener(InputStream stream, const Model &model, const ColumnChoice &choice,
            Diagnostics &diagnostics)
      : stream_(std::move(stream)), model_(model), choice_(choice), diagnostics_(diagnostics) {}

  std::unique_ptr<CaseSource> run() {
    std::string problem;
    const std::optional<NpyHeader> header = readHeader(problem);
    if (header && problem.empty())
      problem = findShapeProblem(*header);
    for (size_t f = 0; header && problem.empty() && f < header->fields.size(); ++f)
      problem = findTableProblem(header->fields[f]);
    if (!problem.empty())
      return refuse(problem);
    if (choice_.keepsAll || !choice_.kept.empty()) {
      diagnostics_.error({},
                         "{}: a .npy list holds numbers: only cells of a CSV are text that can "
                         "be kept",
                         stream_.name());
      return nullptr;
    }
    if (!choice_.missing.empty()) {
      diagnostics_.report(
          {Severity::Error,
           {},
           fmt::format("{}: --missing is for text, a .npy list holds numbers", stream_.name()),
           "NaN means not observed there, a negative number too unless the variable has a "
           "label that is one"});
      return nullptr;
    }
    const Columns columns = columnsOf(*header);
    const std::optional<CaseHeader> resolved =
        resolveCaseHeader(columns.names, model_, choice_, diagnostics_);
    if (!resolved)
      return nullptr;
    for (const NpyField &field : header->fields)
      if (problem = findNumberProblem(field); !problem.empty())
        return refuse(problem);
    NpyRows rows(*resolved, columns.stored, layout_.byColumns ? 0 : layout_.rowBytes, model_,
                 choice_.numbers);
    if (stream_.sizeBytes() != 0)
      return std::make_unique<PlacedCases>(
          npyFileReader(std::move(stream_), layout_, std::move(rows)), resolved->paramPlaces);
    return std::make_unique<ChunkedCases>(
        npyStreamReader(std::move(stream_), layout_, std::move(rows)), resolved->paramPlaces);
  }

private:
  std::unique_ptr<CaseSource> refuse(const std::string &problem) const {
    diagnostics_.error({}, "{}: {}", stream_.name(), problem);
    return nullptr;
  }

  /// Reads only the header; the rows remain in the stream.
  std::optional<NpyHeader> readHeader(std::string &problem) {
    std::string start(kNpyPreludeBytes, '\0');
    start.resize(stream_.read(start.data(), start.size()));
    const std::optional<size_t> bytes = npyHeaderBytes(start, problem);
    if (!bytes)
      return std::nullopt;
    if (*bytes < start.size()) {
      problem = "its header is empty";
      return std::nullopt;
    }
    const size_t known = start.size();
    start.resize(*bytes);
    start.resize(known + stream_.read(start.data() + known, *bytes - known));
    return parseNpyHeader(start, problem);
  }

  std::string findShapeProblem(const NpyHeader &header) {
    const bool isRecords = !header.fields.empty();
    if (header.shape.size() != (isRecords ? 1 : 2))
      return fmt::format("an array of shape ({}): {} needed", header.shapeText(),
                         isRecords ? "one dimension is" : "rows and columns are");
    layout_.rows = header.shape[0];
    layout_.columns = isRecords ? header.fields.size() : header.shape[1];
    const bool isNamed = !choice_.unnamed.empty();
    const size_t needed = isNamed ? choice_.unnamed.size() : ownVariableCount(model_);
    if (!isRecords && layout_.columns != needed)
      return fmt::format("the array has {} columns, the model has {} {}: a column for each is "
                         "needed, or records whose fields have names",
                         layout_.columns, needed, isNamed ? "received bits" : "variables");
    layout_.rowBytes = isRecords ? header.itemBytes : layout_.columns * header.itemBytes;
    if (layout_.rowBytes == 0)
      return "its rows hold nothing";
    layout_.dataBegin = header.dataBegin;
    layout_.byColumns = header.fortranOrder && !isRecords && layout_.columns > 1;
    const uint64_t bytes = saturatingMul(layout_.rows, layout_.rowBytes);
    if (const uint64_t present = stream_.sizeBytes() - header.dataBegin;
        stream_.sizeBytes() != 0 && present != bytes)
      return fmt::format("its shape ({}) needs {} bytes of entries, it has {}", header.shapeText(),
                         bytes == UINT64_MAX ? "2^64 or more" : std::to_string(bytes), present);
    if (layout_.byColumns && stream_.sizeBytes() == 0)
      return "it stores one column after the other (Fortran order), which is read from a plain "
             "file only: save it with numpy.ascontiguousarray";
    return {};
  }

  /// The names of the columns, and the places of their numbers in a row.
  struct Columns {
    std::vector<ColumnName> names;
    std::vector<NpyColumn> stored;

    void add(const std::string &name, const NpyType &type, uint64_t offset) {
      names.push_back({name, {}});
      stored.push_back({type, offset});
    }
  };

  /// Returns the columns for resolveCaseHeader. A whole table has a column with its name, followed
  /// by a column without a name for each further entry.
  Columns columnsOf(const NpyHeader &header) const {
    Columns columns;
    for (const NpyField &field : header.fields) {
      const uint64_t count = tableOf(field) != nullptr ? field.elems() : 1;
      for (uint64_t entry = 0; entry < count; ++entry)
        columns.add(entry == 0 ? field.name : "", field.type,
                    field.offset + entry * field.type.bytes);
    }
    for (uint64_t c = 0; header.fields.empty() && c < layout_.columns; ++c)
      columns.add(choice_.unnamed.empty() ? model_.variables[c].name : choice_.unnamed[c],
                  header.type, layout_.byColumns ? c : c * header.itemBytes);
    return columns;
  }

  bool isOneColumn(const NpyField &field) const {
    return field.elems() == 1 ||
           std::ranges::find(choice_.ignored, field.name) != choice_.ignored.end();
  }

  /// Returns the table whose entries the field's array holds. Null: the field is a single column,
  /// or resolveCaseHeader will report that cases may not set it.
  const Factor *tableOf(const NpyField &field) const {
    const auto isNamed = [&field](const auto &one) { return one.name == field.name; };
    if (isOneColumn(field))
      return nullptr;
    const auto factor = std::ranges::find_if(model_.factors, isNamed);
    return factor != model_.factors.end() && isInput(*factor) ? &*factor : nullptr;
  }

  /// Checks that an array has the shape of its table, or one dimension with all of its entries.
  std::string findTableProblem(const NpyField &field) const {
    const Factor *const table = tableOf(field);
    if (table == nullptr)
      return {};
    std::vector<uint64_t> extents;
    for (const VarId id : table->scope)
      extents.push_back(model_.variable(id).extent);
    if (field.shape == extents ||
        (field.shape.size() == 1 && field.elems() == scopeElems(model_, table->scope)))
      return {};
    return fmt::format("its field '{}' is an array of shape ({}), the table has ({})",
                       excerpt(field.name), NpyHeader::shapeTextOf(field.shape),
                       NpyHeader::shapeTextOf(extents));
  }

  /// Checks that a field with a name of the model is a single number, unless it is a whole table.
  std::string findNumberProblem(const NpyField &field) const {
    if (isOneColumn(field) || tableOf(field) != nullptr)
      return {};
    return fmt::format("its field '{}' is an array of shape ({}): only a whole table is one",
                       excerpt(field.name), NpyHeader::shapeTextOf(field.shape));
  }

  InputStream stream_;
  const Model &model_;
  const ColumnChoice &choice_;
  Diagnostics &diagnostics_;
  NpyLayout layout_;
};

} // namespace

std::unique_ptr<CaseSource> openNpyCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice) {
  return NpyOpener(std::move(stream), model, choice, diagnostics).run();
}

bool isNpy(std::string_view start) { return start.starts_with("\x93NUMPY"); }

} // namespace mpf
