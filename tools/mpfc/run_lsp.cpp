// mpfc lsp: serves an editor over stdin and stdout.
#include "tools/mpfc/commands.h"
#include "tools/mpfc/lsp/server.h"
#include "tools/mpfc/process/write_stdout.h"

#include <unistd.h>

namespace mpf::driver {

int runLsp(const Options &) { return lsp::serve(STDIN_FILENO, writeToStdout); }

} // namespace mpf::driver
