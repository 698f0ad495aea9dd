#include "codegen/bundle/read_bundle.h"

#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/verify_bundle.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

constexpr uint64_t kMaxTableElems = uint64_t{1} << 40;

} // namespace

Bundle parseBundle(SectionReader &reader) {
  if (reader.nextIs(SectionKind::Lanes))
    fail(ErrorKind::BadInput, "bundle: it answers lists of cases, not a single one");
  BundleBulk bulk;
  Bundle bundle = bundleFromJson(reader.next(SectionKind::Metadata), bulk);
  for (const uint64_t elems : bulk.tableElems) {
    if (elems > kMaxTableElems)
      fail(ErrorKind::BadInput, "bundle: a table of {} entries, at most {} are possible", elems,
           kMaxTableElems);
    bundle.tables.push_back(std::make_shared<std::vector<double>>(
        tableEntries(reader.next(SectionKind::Table, elems * sizeof(double)))));
  }
  size_t next = 0;
  for (BundleKernel &kernel : bundle.kernels)
    for (BundleCubin &cubin : kernel.cubins)
      cubin.contents = reader.next(SectionKind::Cubin, bulk.cubinBytes[next++]);
  if (!reader.atEnd())
    fail(ErrorKind::BadInput, "bundle: there are bytes behind the last section");
  verifyBundle(bundle);
  bundle.foreignKernels = !bundle.kernels.empty();
  return bundle;
}

Bundle parseBundle(std::string_view file) {
  ByteSource source(file);
  SectionReader reader(source);
  return parseBundle(reader);
}

Bundle readBundle(const std::string &path) {
  return namingFile(path, [&] {
    ByteSource source(path, kMaxBundleBytes);
    SectionReader reader(source);
    return parseBundle(reader);
  });
}

} // namespace mpf
