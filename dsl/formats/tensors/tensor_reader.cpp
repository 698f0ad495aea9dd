#include "dsl/formats/tensors/tensor_reader.h"

#include "dsl/formats/network/made_text.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/tensors/contraction_json.h"
#include "dsl/formats/tensors/einsum_text.h"
#include "dsl/model/array_file.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/system/growth_guard.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace mpf {

namespace {

/// The names of arrays in an archive, before the number of the operand.
constexpr std::array<const char *, 2> kPrefixes = {"op", "arr_"};

/// The arrays of one archive, which is open already.
class OpenArrays final : public ArraySource {
public:
  explicit OpenArrays(ArraySource &files) : files_(files) {}
  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    return files_.numbers(request, diagnostics, place);
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    return files_.words(request, diagnostics, place);
  }

private:
  ArraySource &files_;
};

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
  std::optional<Model> build();
  std::string factorText(size_t operand) const;
  std::string scopeText(const std::vector<size_t> &indices) const;

  TensorSum made_;
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const ModelReadOptions &options_;
  std::vector<std::optional<size_t>> sizedBy_; ///< the operand whose array gave each size
  std::vector<std::vector<size_t>> distinct_;  ///< the indices of each operand, each once
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
  std::vector<size_t> seenBy(made_.indices.size()); // behind the last operand with each index
  for (size_t o = 0; o < made_.operands.size(); ++o) {
    std::vector<size_t> &its = distinct_.emplace_back();
    for (const size_t index : made_.operands[o].indices)
      if (std::exchange(seenBy[index], o + 1) != o + 1)
        its.push_back(index);
    if (const uint64_t most = options_.build.limits.maxScope; its.size() > most)
      return refuse(made_.operands[o].place,
                    fmt::format("operand {} has {} indices, the limit is {}", o, its.size(), most));
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

std::string TensorModel::scopeText(const std::vector<size_t> &indices) const {
  std::string text;
  for (const size_t index : indices)
    text += (text.empty() ? "" : ", ") + spellName(made_.indices[index].name);
  return text;
}

std::string TensorModel::factorText(size_t operand) const {
  if (arrays_)
    return fmt::format("factor op{}({}) = file({}, {})\n", operand,
                       scopeText(made_.operands[operand].indices), spellString(options_.tensors),
                       spellString(memberOf(operand)));
  return fmt::format("factor op{}({}) = input\n", operand, scopeText(distinct_[operand]));
}

std::optional<Model> TensorModel::build() {
  std::string text = fmt::format("model {}\n", spellName(modelNameFor(buffer_->name())));
  GrowthGuard guard(buffer_->name());
  for (const TensorSum::Index &index : made_.indices) {
    fmt::format_to(std::back_inserter(text), "var {} : {}\n", spellName(index.name), index.size);
    guard.mayGrow(text);
  }
  std::string product;
  for (size_t o = 0; o < made_.operands.size(); ++o) {
    text += factorText(o);
    fmt::format_to(std::back_inserter(product), "{}op{}", o == 0 ? "" : " * ", o);
    guard.mayGrow(text);
  }
  const bool isSum = made_.output.size() < made_.indices.size();
  fmt::format_to(std::back_inserter(text), "query result({}) = {}{}\n", scopeText(made_.output),
                 isSum || made_.indices.empty() ? "sum() " : "", product);
  BuildOptions building = options_.build;
  building.files.openArrays = [this] { return std::make_unique<OpenArrays>(*arrays_); };
  // Paths in the text are relative to its name, which is that of no folder.
  return readMpf(madeText(buffer_->name(), "tensors as .mpf", std::move(text)), diagnostics_,
                 building);
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
