// mpfc completion: prints the script of a shell.
#include "tools/mpfc/commands.h"
#include "tools/mpfc/help/completion_scripts.h"
#include "tools/mpfc/process/write_stdout.h"

namespace mpf::driver {

int runCompletion(const Options &options) {
  writeToStdout(completionScript(options.shell));
  return 0;
}

} // namespace mpf::driver
