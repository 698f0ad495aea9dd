#include "codegen/bundle/lanes/bundle_file.h"

#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/bundle/read_bundle.h"
#include "codegen/bundle/section.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"

#include <utility>

namespace mpf {

namespace {

/// Reads the tables up to the end of the file.
StoredEntries readTables(SectionReader &reader) {
  StoredEntries stored;
  while (!reader.atEnd()) {
    stored.push_back(
        std::make_shared<std::vector<double>>(tableEntries(reader.next(SectionKind::Table))));
  }
  return stored;
}

LaneProgram readLanes(SectionReader &reader) {
  const auto text = std::make_shared<const SourceBuffer>("lanes", reader.next(SectionKind::Lanes));
  const StoredEntries stored = readTables(reader);
  Diagnostics diagnostics;
  std::optional<std::vector<ReadLaneProgram>> programs =
      readLanePrograms(text, diagnostics, stored);
  if (!programs)
    throw Error(ErrorKind::BadInput, "bundle: " + messageOf(diagnostics));
  if (programs->size() != 1)
    fail(ErrorKind::BadInput, "bundle: {} lane programs, a file holds one", programs->size());
  LaneProgram &program = programs->front().program;
  if (const size_t given = program.schema.tables.size() - program.formulas.tables.size();
      program.inputs.size() != given)
    fail(ErrorKind::BadInput, "bundle: {} inputs for {} tables of the cases", program.inputs.size(),
         given);
  return std::move(program);
}

bool isOfLanes(ByteSource &file) { return SectionReader(file).nextIs(SectionKind::Lanes); }

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
  for (const LaneInput &one : program.inputs) // as the text has them
    if (one.defaults != nullptr)
      appendTable(file, *one.defaults);
  for (const CaseFormula &one : program.formulas.tables)
    appendTable(file, *one.formula->values);
  for (const LaneValues &one : program.values)
    if (one.values != nullptr)
      appendTable(file, *one.values);
  return file;
}

void writeLanes(const std::string &path, const LaneProgram &program) {
  writeFile(path, serializeLanes(program));
}

bool isLaneFile(const std::string &path) {
  return namingFile(path, [&] {
    ByteSource source(path, kMaxBundleBytes);
    return isOfLanes(source);
  });
}

bool areLaneBytes(std::string_view file) {
  ByteSource source(file);
  return isOfLanes(source);
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
