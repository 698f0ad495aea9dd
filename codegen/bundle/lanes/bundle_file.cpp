#include "codegen/bundle/lanes/bundle_file.h"

#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/bundle/read_bundle.h"
#include "codegen/bundle/section.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"

#include <bit>
#include <cstring>
#include <utility>

namespace mpf {

static_assert(std::endian::native == std::endian::little,
              "tables are stored as they lie in memory");

namespace {

/// Tables up to the end of the file.
StoredEntries readTables(SectionReader &reader) {
  StoredEntries stored;
  while (!reader.atEnd()) {
    const std::string bytes = reader.next(SectionKind::Table);
    if (bytes.size() % sizeof(double) != 0)
      fail(ErrorKind::BadInput, "bundle: a table of {} bytes, an entry has {}", bytes.size(),
           sizeof(double));
    auto entries = std::make_shared<std::vector<double>>(bytes.size() / sizeof(double));
    if (!bytes.empty())
      std::memcpy(entries->data(), bytes.data(), bytes.size());
    stored.push_back(std::move(entries));
  }
  return stored;
}

LaneProgram readLanes(SectionReader &reader) {
  const auto text = std::make_shared<const SourceBuffer>("lanes", reader.next(SectionKind::Lanes));
  const StoredEntries stored = readTables(reader);
  Diagnostics diagnostics;
  std::optional<std::vector<ReadLaneProgram>> programs =
      readLanePrograms(text, diagnostics, stored);
  if (!programs) {
    std::string message = renderDiagnostics(diagnostics);
    while (message.ends_with('\n'))
      message.pop_back();
    throw Error(ErrorKind::BadInput, "bundle: " + message);
  }
  if (programs->size() != 1)
    fail(ErrorKind::BadInput, "bundle: {} lane programs, a file holds one", programs->size());
  return std::move(programs->front().program);
}

BundleFile parse(ByteSource &file) {
  SectionReader reader(file);
  if (reader.nextIs(SectionKind::Lanes))
    return readLanes(reader);
  return parseBundle(reader);
}

} // namespace

std::string serializeLanes(const LaneProgram &program) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Lanes, printLaneProgram(program, LaneValueText::Apart));
  for (const LaneValues &one : program.values)
    if (one.values != nullptr)
      appendSection(file, SectionKind::Table,
                    {reinterpret_cast<const char *>(one.values->data()),
                     one.values->size() * sizeof(double)});
  return file;
}

void writeLanes(const std::string &path, const LaneProgram &program) {
  writeFile(path, serializeLanes(program));
}

BundleFile parseBundleFile(std::string_view file) {
  ByteSource source(file);
  return parse(source);
}

BundleFile readBundleFile(const std::string &path) {
  return namingFile(path, [&] {
    ByteSource source(path, kMaxBundleBytes);
    return parse(source);
  });
}

} // namespace mpf
