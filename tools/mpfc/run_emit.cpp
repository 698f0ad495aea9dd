// mpfc emit: the text form of one stage.
#include "dsl/model/print_model.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

int runEmit(const Options &options) {
  const Model model = loadModelOrFail(options);
  writeResult(options, printModel(model));
  return 0;
}

} // namespace mpf::driver
