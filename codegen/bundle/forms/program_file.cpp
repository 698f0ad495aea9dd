#include "codegen/bundle/forms/program_file.h"

#include "dsl/support/check.h"

#include <optional>
#include <type_traits>

namespace mpf {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{256} << 30; ///< of a file

/// Returns the result of `read`. Errors that do not name the file get its name in front.
template <class Read> auto namingFile(const std::string &path, const Read &read) {
  try {
    return read();
  } catch (const Error &error) {
    const std::string what = error.what();
    if (what.find(path) != std::string::npos)
      throw;
    throw Error(error.kind(), path + ": " + what);
  }
}

/// Calls `visit` with the row of each form, until it returns true.
template <size_t I = 0, class Visit> bool anyForm(const Visit &visit) {
  if constexpr (I == std::variant_size_v<StoredProgram>) {
    return false;
  } else {
    using Body = std::variant_alternative_t<I, StoredProgram>;
    return visit(FormOf<Body>::row) || anyForm<I + 1>(visit);
  }
}

StoredProgram parse(ByteSource &file) {
  SectionReader reader(file);
  const std::string word = reader.next(SectionKind::Form);
  std::optional<StoredProgram> program;
  const bool isKnown = anyForm([&](const auto &row) {
    if (row.word != word)
      return false;
    program = row.read(reader);
    return true;
  });
  if (!isKnown)
    fail(ErrorKind::BadInput, "bundle: there is no form of program '{}'", word);
  if (!reader.atEnd())
    fail(ErrorKind::BadInput, "bundle: there are bytes behind the last section");
  return std::move(*program);
}

} // namespace

StoredProgram parseProgram(std::string_view file) {
  ByteSource source(file);
  return parse(source);
}

StoredProgram readProgramFile(const std::string &path) {
  return namingFile(path, [&] {
    ByteSource source(path, kMaxBytes);
    return parse(source);
  });
}

} // namespace mpf
