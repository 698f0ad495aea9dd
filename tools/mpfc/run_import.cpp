// mpfc import: a model of any known format as .mpf source that people can read.
#include "dsl/model/print_mpf.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

int runImport(const Options &options) {
  writeResult(options, printMpf(loadModelOrFail(options)));
  return 0;
}

} // namespace mpf::driver
