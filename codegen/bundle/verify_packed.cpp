#include "codegen/bundle/verify_packed.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/packed_table.h"

namespace mpf {

namespace {

/// Throws if a packed buffer breaks a rule. `why` is the reason; empty if no rule is broken.
void refuse(const BundleBuffer &buffer, std::string_view why) {
  if (buffer.packed && !why.empty())
    fail(ErrorKind::BadInput, "bundle: buffer {} is packed, but {}", buffer.name, why);
}

} // namespace

void verifyPacked(const Bundle &bundle) {
  for (const BundleBuffer &buffer : bundle.buffers)
    refuse(buffer, buffer.input ? std::string_view() : packing_fault::kNoInput);
  for (const BundleOperation &operation : bundle.operations)
    for (const BundleAccess &access : operation.operands) {
      const BundleBuffer &buffer = bundle.buffer(access.buffer);
      refuse(buffer, packingFaultOf(operation.semiring, isIntegerType(bundle.type)));
      if (operation.accumulates)
        refuse(buffer, packing_fault::kAccumulated);
      for (const uint64_t stride : access.sliceStridesElems)
        refuse(buffer, packingFaultOfSlices(stride));
    }
  for (const BundleChain &chain : bundle.chains)
    for (const BundleAccess *operand : chainOperands(bundle, chain))
      refuse(bundle.buffer(operand->buffer), packing_fault::kInChain);
  for (const BundleOutput &output : bundle.outputs)
    refuse(bundle.buffer(output.buffer), packing_fault::kResult);
  for (const BundleTraceback &step : bundle.traceback)
    for (const BundleTraceback::Table &table : step.tables)
      refuse(bundle.buffer(table.buffer), packing_fault::kInTraceback);
}

} // namespace mpf
