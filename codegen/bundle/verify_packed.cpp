#include "codegen/bundle/verify_packed.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/error.h"

namespace mpf {

namespace {

void require(bool condition, const BundleBuffer &buffer, std::string_view what) {
  if (!condition)
    fail(ErrorKind::BadInput, "bundle: buffer {} is packed, but {}", buffer.name, what);
}

} // namespace

void verifyPacked(const Bundle &bundle) {
  const Semiring semiring =
      bundle.operations.empty() ? Semiring{} : bundle.operations.front().semiring;
  const bool hasZero = semiring.reduce != Reduce::Min &&
                       (semiring.combine != Combine::Plus || !isWholeType(bundle.type));
  for (const BundleBuffer &buffer : bundle.buffers) {
    require(!buffer.packed || buffer.input, buffer, "no input");
    require(!buffer.packed || hasZero, buffer, "its type has no zero of the semiring");
  }
  const auto refuse = [&](BufferId id, std::string_view reader) {
    require(!bundle.buffer(id).packed, bundle.buffer(id), reader);
  };
  for (const BundleOperation &operation : bundle.operations)
    for (const BundleAccess &access : operation.operands)
      for (const uint64_t stride : access.sliceStridesElems)
        if (stride % kBundleWordElems != 0)
          refuse(access.buffer, "a slice of it begins inside a word");
  for (const BundleChain &chain : bundle.chains)
    for (const BundleAccess *operand : chainOperands(bundle, chain))
      refuse(operand->buffer, "a chain reads it");
  for (const BundleOutput &output : bundle.outputs)
    refuse(output.buffer, "it is an output");
  for (const BundleTraceback &step : bundle.traceback)
    for (const BundleTraceback::Table &table : step.tables)
      refuse(table.buffer, "the traceback reads it");
}

} // namespace mpf
