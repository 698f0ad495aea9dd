// FORMS OF PROGRAM: the structs that programs are stored in, and the functions of each, as one
// table. Other stages ask the head of a program (../head/program_head.h) or a row of this table. A
// new form takes an alternative of StoredProgram and a row.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/bundle_sections.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/lane_sections.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/verify_lane_program.h"
#include "codegen/bundle/print_bundle.h"
#include "codegen/bundle/section.h"
#include "codegen/bundle/verify_bundle.h"

#include <string>
#include <string_view>
#include <variant>

namespace mpf {

/// A program of any form: its head with the body of the form.
using StoredProgram = std::variant<Bundle, LaneProgram>;

template <class Body> struct ProgramForm {
  std::string_view word;              ///< in files
  std::string_view answers;           ///< what a run answers, for people
  bool answersLists = false;          ///< a run answers a list of cases, not a single one
  void (*verify)(const Body &);       ///< throws Error(BadInput) with the first broken rule
  std::string (*print)(const Body &); ///< for people (--emit=bundle); ends with a newline
  void (*append)(std::string &file, const Body &); ///< appends the sections of a file
  Body (*read)(SectionReader &);                   ///< reads these sections and verifies
};

/// FormOf<Body>::row is the row of a form.
template <class Body> struct FormOf;

template <> struct FormOf<Bundle> {
  static constexpr ProgramForm<Bundle> row = {.word = "tables",
                                              .answers = "a single case",
                                              .verify = verifyBundle,
                                              .print = printBundle,
                                              .append = appendBundle,
                                              .read = readBundleSections};
};

template <> struct FormOf<LaneProgram> {
  static constexpr ProgramForm<LaneProgram> row = {
      .word = "lanes",
      .answers = "lists of cases",
      .answersLists = true,
      .verify = verifyLanes,
      .print = [](const LaneProgram &program) { return printLaneProgram(program); },
      .append = appendLanes,
      .read = readLaneSections};
};

inline const ProgramHead &headOf(const StoredProgram &program) {
  return std::visit([](const ProgramHead &head) -> const ProgramHead & { return head; }, program);
}

/// Whether a run of the program answers a list of cases.
inline bool answersLists(const StoredProgram &program) {
  return std::visit([]<class Body>(const Body &) { return FormOf<Body>::row.answersLists; },
                    program);
}

inline std::string printProgramOf(const StoredProgram &program) {
  return std::visit([]<class Body>(const Body &body) { return FormOf<Body>::row.print(body); },
                    program);
}

} // namespace mpf
