#include "dsl/formats/tensors/tensor_reader.h"

#include "dsl/formats/network/network_builder.h"
#include "dsl/formats/tensors/contraction_json.h"
#include "dsl/formats/tensors/einsum_text.h"
#include "dsl/model/array_file.h"
#include "dsl/model/diagonal.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/wide_table.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// The names of arrays in an archive, before the number of the operand.
constexpr std::array<const char *, 2> kPrefixes = {"op", "arr_"};

std::vector<VarId> variablesOf(const std::vector<size_t> &indices) {
  return {indices.begin(), indices.end()};
}

class TensorModel {
public:
  TensorModel(TensorSum contraction, std::shared_ptr<const SourceBuffer> buffer,
              Diagnostics &diagnostics, const ModelReadOptions &options)
      : made_(std::move(contraction)), buffer_(std::move(buffer)), diagnostics_(diagnostics),
        options_(options), sizedBy_(made_.indices.size()) {}

  std::optional<Model> read() {
    if (made_.operands.empty()) {
      refuse({}, "there are no operands");
      return std::nullopt;
    }
    const bool isSized = (options_.tensors.empty() || readShapes()) && haveSizes();
    return isSized && findDistinct() ? build() : std::nullopt;
  }

private:
  /// Reports an error; always false.
  bool refuse(SourceRange at, std::string message, std::string hint = {}) {
    diagnostics_.report({Severity::Error, {buffer_, at}, std::move(message), std::move(hint)});
    return false;
  }
  std::string memberOf(size_t operand) const { return fmt::format("{}{}", prefix_, operand); }
  std::shared_ptr<const ArrayFile> arrayOf(size_t operand, Diagnostics &diagnostics) {
    ArrayRequest request{options_.tensors, memberOf(operand)};
    request.axes = made_.operands[operand].indices.size();
    request.maxEntries = options_.build.limits.maxTableElems;
    return arrays_->numbers(request, diagnostics, {buffer_, made_.operands[operand].place});
  }
  bool haveSizes();
  bool findDistinct();
  bool readShapes();
  bool takeShape(size_t operand, const ArrayFile &array);
  bool addOperand(NetworkBuilder &network, size_t operand);
  TableValues tableOf(size_t operand, const ArrayFile &array) const;
  Query query() const;
  std::optional<Model> build();

  TensorSum made_;
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const ModelReadOptions &options_;
  std::vector<std::optional<size_t>> sizedBy_; ///< the operand whose array gave each size
  std::vector<std::vector<VarId>> distinct_;   ///< the indices of each operand, each once
  std::unique_ptr<ArraySource> arrays_;
  const char *prefix_ = kPrefixes.front();
};

bool TensorModel::haveSizes() {
  for (const TensorSum::Index &index : made_.indices) {
    if (index.size == 0)
      return refuse(index.place,
                    fmt::format("nothing says the size of the index '{}'", excerpt(index.name)),
                    fmt::format("{} FILE.npz gives the operands", kTensorsOption));
    if (const uint64_t most = options_.build.limits.maxExtent; index.size > most)
      return refuse(index.place, fmt::format("the index '{}' has the size {}; 1 to {} are read",
                                             excerpt(index.name), index.size, most));
  }
  return true;
}

/// Finds the distinct indices of the operands. Reports operands with too many.
bool TensorModel::findDistinct() {
  uint64_t entries = 0;                             // of all operands
  std::vector<size_t> seenBy(made_.indices.size()); // behind the last operand with each index
  for (size_t o = 0; o < made_.operands.size(); ++o) {
    std::vector<VarId> &its = distinct_.emplace_back();
    for (const size_t index : made_.operands[o].indices)
      if (std::exchange(seenBy[index], o + 1) != o + 1)
        its.emplace_back(index);
    if (const uint64_t most = options_.build.limits.maxScope; its.size() > most)
      return refuse(made_.operands[o].place,
                    fmt::format("operand {} has {} indices, the limit is {}", o, its.size(), most));
    entries += made_.operands[o].indices.size();
    if (const uint64_t most = options_.build.limits.maxScopeEntries; entries > most)
      return refuse(made_.operands[o].place,
                    fmt::format("the operands have more than {} indices in all, the limit", most));
  }
  return true;
}

/// Takes the sizes of indices from the arrays.
bool TensorModel::readShapes() {
  if (!options_.build.files.openArrays)
    return refuse({}, "no other file is read here");
  arrays_ = options_.build.files.openArrays();
  for (const char *prefix : kPrefixes) {
    Diagnostics ignored;
    prefix_ = prefix;
    if (arrayOf(0, ignored))
      break;
    prefix_ = kPrefixes.front(); // messages name these
  }
  for (size_t o = 0; o < made_.operands.size() && !diagnostics_.full(); ++o)
    if (const auto array = arrayOf(o, diagnostics_); !array || !takeShape(o, *array))
      return false;
  return true;
}

bool TensorModel::takeShape(size_t operand, const ArrayFile &array) {
  const TensorSum::Operand &its = made_.operands[operand];
  if (array.isRagged || array.shape.size() != its.indices.size())
    return refuse(its.place,
                  fmt::format("operand {} has {} indices, its array {} has {} axes", operand,
                              its.indices.size(), memberOf(operand), array.shape.size()));
  for (size_t axis = 0; axis < its.indices.size(); ++axis) {
    TensorSum::Index &index = made_.indices[its.indices[axis]];
    std::optional<size_t> &by = sizedBy_[its.indices[axis]];
    const uint64_t size = array.shape[axis];
    if (size == 0 || size > options_.build.limits.maxExtent)
      return refuse(its.place,
                    fmt::format("the array {} has the length {} along '{}'; 1 to {} are read",
                                memberOf(operand), size, excerpt(index.name),
                                options_.build.limits.maxExtent));
    if (index.size != 0 && index.size != size)
      return refuse(its.place,
                    fmt::format("the index '{}' has the size {} in the array {}, and {} in {}",
                                excerpt(index.name), size, memberOf(operand), index.size,
                                by ? memberOf(*by) : "the text"));
    index.size = size;
    by = operand;
  }
  return true;
}

/// Returns the numbers of an operand over its distinct indices, as StoredValues reads them.
TableValues TensorModel::tableOf(size_t operand, const ArrayFile &array) const {
  const TableValues stored =
      array.far.empty()
          ? array.values
          : std::make_shared<const std::vector<double>>(widened(*array.values, array.far));
  const WrittenScope scope{variablesOf(made_.operands[operand].indices), distinct_[operand]};
  if (!scope.repeats())
    return stored;
  const std::vector<uint32_t> extents(array.shape.begin(), array.shape.end());
  return std::make_shared<const std::vector<double>>(
      diagonalValues(*stored, extents, placesOfAxes(scope)));
}

bool TensorModel::addOperand(NetworkBuilder &network, size_t operand) {
  const SourceRange place = made_.operands[operand].place;
  TableValues table;
  if (arrays_) {
    const auto array = arrayOf(operand, diagnostics_);
    if (!array)
      return false;
    table = tableOf(operand, *array);
    if (std::ranges::any_of(*table, [](double number) { return std::isinf(number); }))
      return refuse(place, fmt::format("the array {} has an infinite number: the tensors of a sum "
                                       "of products are finite",
                                       memberOf(operand)));
  }
  return network.addStored(fmt::format("op{}", operand), std::move(distinct_[operand]),
                           std::move(table), place);
}

Query TensorModel::query() const {
  Query query;
  query.name = "result";
  query.kind = QueryKind::Expression;
  query.output = variablesOf(made_.output);
  std::vector<VarId> summed;
  for (size_t i = 0; i < made_.indices.size(); ++i)
    if (!made_.indices[i].isInOutput)
      summed.emplace_back(i);
  if (!summed.empty() || made_.indices.empty())
    query.reductions.push_back({Reduce::Sum, std::move(summed)});
  for (size_t o = 0; o < made_.operands.size(); ++o)
    query.factors.emplace_back(o);
  return query;
}

std::optional<Model> TensorModel::build() {
  NetworkBuilder network(buffer_, diagnostics_, options_.build.limits);
  network.reserveVariables(made_.indices.size());
  network.reserveFactors(made_.operands.size());
  for (TensorSum::Index &index : made_.indices)
    if (!network.addUnlabelledVariable(std::move(index.name), static_cast<uint32_t>(index.size),
                                       index.place))
      return std::nullopt;
  for (size_t o = 0; o < made_.operands.size(); ++o)
    if (!addOperand(network, o))
      return std::nullopt;
  std::optional<Model> model = network.finish(QueryKind::Evidence, options_.check);
  if (model)
    model->queries.front() = query();
  return model;
}

/// Whether the first character behind a byte order mark and blanks opens an object or an array.
bool isJson(std::string_view text) {
  if (text.starts_with(kByteOrderMark))
    text.remove_prefix(kByteOrderMark.size());
  const size_t first = text.find_first_not_of(" \t\r\n\v\f");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

} // namespace

std::optional<Model> readTensors(std::shared_ptr<const SourceBuffer> buffer,
                                 Diagnostics &diagnostics, const ModelReadOptions &options) {
  std::optional<TensorSum> contraction = isJson(buffer->text())
                                             ? readContractionJson(buffer, diagnostics)
                                             : readEinsum(buffer, diagnostics);
  if (!contraction)
    return std::nullopt;
  return TensorModel(std::move(*contraction), std::move(buffer), diagnostics, options).read();
}

bool startsAsTensors(std::string_view text) {
  return startsAsEinsum(text) || startsAsContractionJson(text);
}

} // namespace mpf
