#include "codegen/bundle/write_bundle.h"

#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/section.h"
#include "dsl/support/files/file_output.h"

#include <bit>

namespace mpf {

static_assert(std::endian::native == std::endian::little,
              "tables are stored as they lie in memory");

std::string serializeBundle(const Bundle &bundle) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Metadata, bundleToJson(bundle, BundleText::Complete, -1));
  for (const auto &table : bundle.tables)
    appendSection(file, SectionKind::Table,
                  {reinterpret_cast<const char *>(table->data()), table->size() * sizeof(double)});
  for (const BundleKernel &kernel : bundle.kernels)
    for (const BundleCubin &cubin : kernel.cubins)
      appendSection(file, SectionKind::Cubin, cubin.contents);
  return file;
}

void writeBundle(const std::string &path, const Bundle &bundle) {
  writeFile(path, serializeBundle(bundle));
}

} // namespace mpf
