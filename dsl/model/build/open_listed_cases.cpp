#include "dsl/model/build/open_listed_cases.h"

#include "dsl/support/error.h"

namespace mpf {

void openListedCases(Model &model, const ModelFiles &files, const std::string &path,
                     Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  try {
    model.cases = files.openCases(path, model, diagnostics);
    if (!model.cases && diagnostics.errorCount() != errorsBefore)
      diagnostics.note(model.listedCases, "in the cases that are read here");
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    diagnostics.error(model.listedCases, "{}", error.what());
  }
}

} // namespace mpf
