// A sum of products of tensors, as einsum writes it: for each operand its indices, and those of the
// result.
#pragma once

#include "dsl/formats/network/network_builder.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct TensorSum {
  struct Index {
    std::string name;
    SourceRange place; ///< where the text has it first
    uint64_t size = 0; ///< 0: the text does not say it
    bool isInOutput = false;
  };
  struct Operand {
    std::vector<size_t> indices; ///< into the list of indices; one may stand several times
    SourceRange place;
  };
  std::vector<Index> indices; ///< distinct names, in the order of the text
  std::vector<Operand> operands;
  std::vector<size_t> output; ///< into the list of indices, distinct
};

/// Collects a contraction and reports what is no contraction. Not thread-safe; the sink must
/// outlive the object.
class TensorSumBuilder {
public:
  TensorSumBuilder(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
      : buffer_(std::move(buffer)), diagnostics_(diagnostics) {}

  void startOperand(SourceRange place) { made_.operands.push_back({{}, place}); }
  /// Adds an index to the last operand.
  void addIndex(const PlacedText &name);
  /// Adds an index to the result. Call it behind the last operand. Reports one that is in no
  /// operand, and one that the result has already.
  bool addOutput(const PlacedText &name);
  /// The index of this name; nothing: no operand has it.
  std::optional<size_t> indexNamed(std::string_view name) const;
  void setSize(size_t index, uint64_t size) { made_.indices[index].size = size; }
  TensorSum take() { return std::move(made_); }

  /// Reports an error; always false.
  bool error(SourceRange at, std::string message, std::string hint = {}) {
    diagnostics_.report({Severity::Error, {buffer_, at}, std::move(message), std::move(hint)});
    return false;
  }

private:
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  TensorSum made_;
  TextMap<size_t> places_; ///< of indices, by name
};

} // namespace mpf
