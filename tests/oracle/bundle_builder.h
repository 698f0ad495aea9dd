// Builds bundles by hand, without parser and planner, for the runtime's tests.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf::oracle {

/// Builds a bundle one operation at a time: one digit per variable, nothing merged, separate memory
/// for every buffer. A table is known by its buffer; its layout is the order of its scope.
class BundleBuilder {
public:
  explicit BundleBuilder(ElementType type = ElementType::F64) { bundle_.type = type; }

  VarId variable(uint32_t extent);
  /// Input over `scope` (last variable fastest) with its values in the bundle.
  BufferId input(std::vector<VarId> scope, std::vector<double> values);
  /// Adds an operation that reduces everything outside of `kept`; the result's layout is the order
  /// of `kept`.
  BufferId operation(Semiring semiring, const std::vector<BufferId> &operands,
                     std::vector<VarId> kept);
  /// Declares an output in the layout of the table, or as a posterior.
  void output(BufferId table, bool normalised = false);

  const std::vector<VarId> &scope(BufferId table) const { return scopes_[table.index()]; }
  uint32_t extent(VarId id) const { return bundle_.variables[id.index()].extent; }
  Bundle &bundle() { return bundle_; }
  /// Sets the offsets of all buffers; the bundle is complete afterwards.
  Bundle finish();

private:
  BufferId addBuffer(const std::string &name, const std::vector<VarId> &scope, bool input);

  Bundle bundle_;
  std::vector<std::vector<VarId>> scopes_;
};

} // namespace mpf::oracle
