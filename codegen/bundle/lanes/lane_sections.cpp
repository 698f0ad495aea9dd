#include "codegen/bundle/lanes/lane_sections.h"

#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"

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

} // namespace

void appendLanes(std::string &file, const LaneProgram &program) {
  appendSection(file, SectionKind::Text, printLaneProgram(program, EntryText::Apart));
  for (const std::span<const double> entries : entriesApart(program))
    appendTable(file, entries);
  for (const LaneValues &one : program.values) // as the text has them
    if (one.values != nullptr)
      appendTable(file, *one.values);
}

LaneProgram readLaneSections(SectionReader &reader) {
  const auto text = std::make_shared<const SourceBuffer>("lanes", reader.next(SectionKind::Text));
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
      program.caseInputs.size() != given)
    fail(ErrorKind::BadInput, "bundle: {} inputs for {} tables of the cases",
         program.caseInputs.size(), given);
  return std::move(program);
}

} // namespace mpf
