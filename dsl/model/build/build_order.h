// `order x > z > w`: chains of variables, most significant first.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <vector>

namespace mpf {

/// Appends chains to Model::orders.
class OrderBuilder {
public:
  explicit OrderBuilder(BuildContext &context) : context_(context) {}

  /// Appends a chain. An index array means all its elements in row-major order. Reports a variable
  /// that occurs twice in a chain.
  void add(const ast::OrderDecl &decl);
  /// Ends the list of chains. Reports at most one cycle over several chains (a > b, b > c,
  /// c > a), at the last chain that is a part of it.
  void finish();

private:
  BuildContext &context_;
  std::vector<SourcePlace> places_; ///< one for each chain of the model
};

} // namespace mpf
