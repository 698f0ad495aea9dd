// Program: checked when it is made, saved and loaded. Knows bundles only; the compiler is in
// jit.cpp.
#include "codegen/bundle/read_bundle.h"
#include "codegen/bundle/verify_bundle.h"
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/session.h"
#include "runtime/session/kernel_check.h"
#include "runtime/session/open_executor.h"

namespace mpf {

Program::Program(std::shared_ptr<const Bundle> bundle) : bundle_(std::move(bundle)) {
  namingMemory([&] { return "checking query " + bundle_->name; }, [&] { verifyBundle(*bundle_); });
}

void Program::save(const std::string &path) const {
  namingMemory([&] { return "saving query " + bundle_->name; },
               [&] { writeBundle(path, *bundle_); });
}

double predictSeconds(const Program &program, const SessionOptions &options) {
  constexpr double kUsPerSecond = 1e6;
  return namingMemory([&] { return "predicting query " + program.bundle().name; },
                      [&] { return predictRun(program.bundle(), options).timeUs / kUsPerSecond; });
}

#pragma weak mpfAdoptKernels // there is no compiler in a program with mpf::runtime alone

Program loadProgram(const std::string &path, const LoadOptions &options) {
  return namingMemory([&] { return "reading " + path; },
                      [&] {
                        Bundle bundle = readBundle(path);
                        if (options.trust)
                          bundle.foreignKernels = false;
                        else if (bundle.foreignKernels && mpfAdoptKernels != nullptr)
                          mpfAdoptKernels(bundle, path);
                        return Program(std::make_shared<const Bundle>(std::move(bundle)));
                      });
}

} // namespace mpf
