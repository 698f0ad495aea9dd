// The commands, one file each: run_<command>.cpp.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

int runBuild(const Options &options);
int runCache(const Options &options);
int runCalibrate(const Options &options);
int runCheck(const Options &options);
int runCheckKernel(const Options &options);
int runCompletion(const Options &options);
int runEmit(const Options &options);
int runExplain(const Options &options);
int runFmt(const Options &options);
int runImport(const Options &options);
int runLsp(const Options &options);
int runShow(const Options &options);
int runRun(const Options &options);

/// Prints a note if the cache of kernels cannot be used, for commands that may need it.
void noteUnusedCache();
/// Prints a note if an entry of the cache could not be used; call it at the end of a command.
void noteUnusedEntry();

} // namespace mpf::driver
