#include "dsl/formats/cases/open_cases.h"

#include "dsl/formats/cases/csv_cases.h"
#include "dsl/formats/cases/npy_cases.h"
#include "dsl/support/files/file_input.h"

#include <utility>

namespace mpf {

std::unique_ptr<CaseSource> openCases(const std::string &path, const Model &model,
                                      Diagnostics &diagnostics, const ColumnChoice &choice) {
  InputStream stream(path);
  const bool isArray = isNpy(stream.peek(kNpyMagicBytes));
  if (!isArray)
    refuseUtf16(path, stream.peek(kNpyMagicBytes));
  return isArray ? openNpyCases(std::move(stream), model, diagnostics, choice)
                 : openCsvCases(std::move(stream), model, diagnostics, choice);
}

} // namespace mpf
