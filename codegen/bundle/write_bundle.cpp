#include "codegen/bundle/write_bundle.h"

#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/section.h"
#include "dsl/support/files/file_output.h"

namespace mpf {

std::string serializeBundle(const Bundle &bundle) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Metadata, bundleToJson(bundle, BundleText::Complete, -1));
  for (const auto &table : bundle.tables)
    appendTable(file, *table);
  for (const BundleKernel &kernel : bundle.kernels)
    for (const BundleCubin &cubin : kernel.cubins)
      appendSection(file, SectionKind::Cubin, cubin.contents);
  return file;
}

void writeBundle(const std::string &path, const Bundle &bundle) {
  writeFile(path, serializeBundle(bundle));
}

} // namespace mpf
