// The value, the sweep or the array that a param gets from outside of a model's text.
#pragma once

#include "dsl/source/source_buffer.h"
#include "dsl/support/expression/given_param.h"

#include <memory>
#include <vector>

namespace mpf {

namespace ast {
struct ParamItem;
} // namespace ast

/// The item of a `param` declaration that takes the place of the model's own. A text may name
/// params that the model has above it. Immutable; copies share the item.
class OutsideValue {
public:
  OutsideValue(GivenParam value);
  OutsideValue(double value) : OutsideValue(GivenParam(value)) {}
  OutsideValue(std::vector<double> sweep) : OutsideValue(GivenParam(std::move(sweep))) {}
  /// `NAME = VALUE` or `NAME in SWEEP` in the words of a model; behind `=` also a sweep. Messages
  /// name the buffer. Errors are reported when a model is built with it.
  OutsideValue(std::shared_ptr<const SourceBuffer> text);

  const std::shared_ptr<const SourceBuffer> &source() const { return source_; }
  /// The item without axes, with places in source(); null: the text has an error.
  const ast::ParamItem *item() const { return item_.get(); }
  /// Whether a param that is a number is swept. `[1, 2]` is a sweep for a number.
  bool isSwept() const;

private:
  std::shared_ptr<const SourceBuffer> source_;
  std::shared_ptr<const ast::ParamItem> item_;
};

} // namespace mpf
