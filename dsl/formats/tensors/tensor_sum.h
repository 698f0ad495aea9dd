// A sum of products of tensors, as einsum writes it: for each operand its indices, and those of the
// result.
#pragma once

#include "dsl/formats/network/network_builder.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/text/text_index.h"

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
  /// Variables have this prefix before the names from then on: `x7` for the number 7.
  void setPrefix(std::string_view prefix) { prefix_ = prefix; }

  /// The number of a name that has a size. Operands with the name may be added later, or never.
  uint32_t numberOf(std::string_view name) { return names_.add(name).first; }
  std::string_view nameOf(uint32_t number) const { return names_.text(number); }
  bool hasSize(uint32_t number) const { return number < sizes_.size() && sizes_[number] != 0; }
  /// Sets the size, which is above 0, of a name.
  void setSize(uint32_t number, uint64_t size);
  TensorSum take();

  /// Reports an error; always false.
  bool error(SourceRange at, std::string message, std::string hint = {}) {
    diagnostics_.report({Severity::Error, {buffer_, at}, std::move(message), std::move(hint)});
    return false;
  }

private:
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  TensorSum made_;
  std::string prefix_;
  TextIndex names_;
  std::vector<size_t> indices_; ///< of names, by their numbers; SIZE_MAX or missing: no operand's
  std::vector<uint64_t> sizes_; ///< likewise; 0 or missing: not set
};

} // namespace mpf
