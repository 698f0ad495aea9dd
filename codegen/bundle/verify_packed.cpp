#include "codegen/bundle/verify_packed.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/error.h"
#include "dsl/support/table_layout.h"

namespace mpf {

namespace {

void require(bool condition, const BundleBuffer &buffer, std::string_view what) {
  if (!condition)
    fail(ErrorKind::BadInput, "bundle: buffer {} is packed, but {}", buffer.name, what);
}

} // namespace

void verifyPacked(const Bundle &bundle) {
  for (const BundleBuffer &buffer : bundle.buffers)
    require(!buffer.packed || buffer.input, buffer, "no input");
  const auto refuse = [&](BufferId id, std::string_view reader) {
    require(!bundle.buffer(id).packed, bundle.buffer(id), reader);
  };
  for (const BundleOperation &operation : bundle.operations)
    for (const BundleAccess &access : operation.operands) {
      if (!storesZero(operation.semiring, isIntegerType(bundle.type)))
        refuse(access.buffer, "its type has no zero of the semiring");
      if (operation.accumulates)
        refuse(access.buffer, "it is accumulated over a loop");
      for (const uint64_t stride : access.sliceStridesElems)
        if (stride % kPackedWordElems != 0)
          refuse(access.buffer, "a slice of it begins inside a word");
    }
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
