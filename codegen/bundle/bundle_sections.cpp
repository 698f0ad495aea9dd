#include "codegen/bundle/bundle_sections.h"

#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/head/head_lines.h"
#include "codegen/bundle/head/print_head.h"
#include "codegen/bundle/verify_bundle.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"

#include <memory>
#include <string_view>

namespace mpf {

namespace {

constexpr std::string_view kForm = "tables"; ///< the first word of the text
constexpr uint64_t kMaxTableElems = uint64_t{1} << 40;

void readHead(std::string text, ProgramHead &head) {
  Diagnostics diagnostics;
  LineReader lines(std::make_shared<const SourceBuffer>("head", std::move(text)), diagnostics);
  const StoredEntries none;
  size_t taken = 0;
  HeadLines reader(lines, diagnostics, head, none, taken);
  if (!lines.next() || lines.keyword().text != kForm)
    diagnostics.error(lines.here(), "expected a line '{} NAME KIND TYPE'", kForm);
  else
    reader.readHeadLine();
  if (reader.ok())
    lines.expectEndOfLine();
  while (reader.ok() && lines.next()) {
    if (!reader.readLine())
      diagnostics.error(lines.here(), "expected a line of a program's head");
    else if (reader.ok())
      lines.expectEndOfLine();
  }
  if (!reader.ok())
    throw Error(ErrorKind::BadInput, "bundle: " + messageOf(diagnostics));
  reader.finishHead();
}

} // namespace

void appendBundle(std::string &file, const Bundle &bundle) {
  std::string head = headLine(kForm, bundle) + "\n";
  printHead(head, bundle, EntryText::Printed);
  appendSection(file, SectionKind::Text, head);
  appendSection(file, SectionKind::Body, bundleToJson(bundle, BundleText::Complete, -1));
  for (const auto &table : bundle.tables)
    appendTable(file, *table);
  for (const BundleKernel &kernel : bundle.kernels)
    for (const BundleCubin &cubin : kernel.cubins)
      appendSection(file, SectionKind::Cubin, cubin.contents);
}

Bundle readBundleSections(SectionReader &reader) {
  Bundle bundle;
  readHead(reader.next(SectionKind::Text), bundle);
  BundleBulk bulk;
  bundleFromJson(reader.next(SectionKind::Body), bundle, bulk);
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
  verifyBundle(bundle);
  bundle.foreignKernels = !bundle.kernels.empty();
  return bundle;
}

} // namespace mpf
