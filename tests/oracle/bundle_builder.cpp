#include "tests/oracle/bundle_builder.h"

#include "dsl/support/table_layout.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::oracle {

VarId BundleBuilder::variable(uint32_t extent) {
  const VarId id(bundle_.variables.size());
  bundle_.variables.push_back({fmt::format("x{}", id.value), extent, {}});
  return id;
}

BufferId BundleBuilder::addBuffer(const std::string &name, const std::vector<VarId> &scope,
                                  bool input) {
  uint64_t elems = 1;
  for (const VarId id : scope)
    elems *= extent(id);
  scopes_.push_back(scope);
  bundle_.buffers.push_back({name, elems, 0, input});
  return BufferId(bundle_.buffers.size() - 1);
}

BufferId BundleBuilder::input(std::vector<VarId> scope, std::vector<double> values) {
  const std::string name = fmt::format("f{}", bundle_.inputs.size());
  const BufferId id = addBuffer(name, scope, true);
  bundle_.signedValues |= std::any_of(values.begin(), values.end(), [](double v) { return v < 0; });
  bundle_.inputs.push_back({id, name, scope, scope, static_cast<uint32_t>(bundle_.tables.size())});
  bundle_.tables.push_back(std::make_shared<const std::vector<double>>(std::move(values)));
  return id;
}

BufferId BundleBuilder::operation(Semiring semiring, const std::vector<BufferId> &operands,
                                  std::vector<VarId> kept) {
  BundleOperation operation;
  operation.name = fmt::format("op{}", bundle_.operations.size());
  operation.semiring = semiring;
  std::vector<VarId> all = kept;
  for (const BufferId id : operands)
    for (const VarId v : scope(id))
      if (std::find(all.begin(), all.end(), v) == all.end())
        all.push_back(v);
  for (size_t i = 0; i < all.size(); ++i)
    operation.digits.push_back({extent(all[i]), i >= kept.size()});
  const auto access = [&](BufferId id) {
    BundleAccess result{id, std::vector<uint64_t>(all.size(), 0)};
    uint64_t stride = 1;
    for (size_t i = scope(id).size(); i-- > 0;) {
      const auto at = std::find(all.begin(), all.end(), scope(id)[i]) - all.begin();
      result.stridesElems[static_cast<size_t>(at)] = stride;
      stride *= extent(scope(id)[i]);
    }
    return result;
  };
  for (const BufferId id : operands)
    operation.operands.push_back(access(id));
  const BufferId result = addBuffer(fmt::format("m{}", bundle_.operations.size()), kept, false);
  operation.result = access(result);
  bundle_.operations.push_back(std::move(operation));
  return result;
}

void BundleBuilder::output(BufferId table, bool normalised) {
  bundle_.outputs.push_back(
      {{bundle_.buffer(table).name, scope(table), normalised}, table, scope(table)});
}

Bundle BundleBuilder::finish() {
  for (BundleBuffer &buffer : bundle_.buffers) {
    uint64_t &arena = buffer.input ? bundle_.inputArenaBytes : bundle_.workArenaBytes;
    buffer.offsetBytes = arena;
    const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues);
    arena += roundUp(bytes, 256);
  }
  return bundle_;
}

} // namespace mpf::oracle
