// .mpfb files of programs of all forms (program_form.h), in the sections of ../section.h: first the
// word of the form, then the sections of the form.
#pragma once

#include "codegen/bundle/forms/program_form.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace mpf {

/// Returns the bytes of a file: equal programs give equal bytes.
template <class Body> std::string programBytes(const Body &program) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, FormOf<Body>::row.word);
  FormOf<Body>::row.append(file, program);
  return file;
}

/// Writes beside `path` and renames: readers never see half a file. Throws Error(BadInput).
template <class Body> void writeProgram(const std::string &path, const Body &program) {
  writeFile(path, programBytes(program));
}

/// Reads and verifies. Throws Error(BadInput), with the place and both numbers, for anything that
/// is not one whole, undamaged file of this version. It allocates at most kMaxUnpackFactor
/// (section.h) times the size of the file. GPU kernels in it are foreign (Bundle::foreignKernels).
/// `file` is the contents of a file; nothing refers to it afterwards.
StoredProgram parseProgram(std::string_view file);
/// The same for a file, which is read once; Error(BadInput) also if it cannot be read.
StoredProgram readProgramFile(const std::string &path);

/// Returns the program of a form. Throws Error(BadInput) for another form: `name` is that of the
/// file, for the message.
template <class Body> Body programOfForm(StoredProgram program, std::string_view name) {
  if (auto *body = std::get_if<Body>(&program))
    return std::move(*body);
  const std::string_view found =
      std::visit([]<class Found>(const Found &) { return FormOf<Found>::row.answers; }, program);
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: it answers {}, not {}", name, found, FormOf<Body>::row.answers));
}

/// Read a file that must have one form.
template <class Body> Body parseAs(std::string_view file) {
  return programOfForm<Body>(parseProgram(file), "bundle");
}
template <class Body> Body readAs(const std::string &path) {
  return programOfForm<Body>(readProgramFile(path), path);
}

} // namespace mpf
