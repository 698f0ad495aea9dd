// `order x > z > w`: chains of variables, most significant first.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <vector>

namespace mpf {

class OrderBuilder {
public:
  explicit OrderBuilder(BuildContext &context) : context_(context) {}

  /// Index arrays stand for all their elements, row-major. Reports a variable twice in a chain.
  void add(const ast::OrderDecl &decl);
  /// Reports a cycle over several chains (a > b, b > c, c > a), once, at its last chain.
  void finish();

private:
  BuildContext &context_;
  std::vector<SourcePlace> places_; ///< one per chain of the model
};

} // namespace mpf
