// Compiled queries for C: made, saved, loaded, listed.
#include "runtime/c/handles.h"

using namespace mpf;
using namespace mpf::c;

namespace {

/// Compiles a network. `compileAs`: a function of a network and options.
template <class Compile>
mpf_status compileTo(const mpf_network *network, const char *query, const mpf_options *options,
                     mpf_program **out, const Compile &compileAs) noexcept {
  return call(network, [&] {
    mpf_program *&made = newHandle(out);
    HostOptions all = optionsOf(options);
    std::vector<std::string> warnings;
    all.compiling.warnings = &warnings;
    if (query != nullptr)
      all.compiling.query = query;
    AnyProgram program = compileAs(networkOf(network), all);
    made = new mpf_program(std::move(program), std::move(warnings));
  });
}

} // namespace

mpf_status mpf_compile(const mpf_network *network, const char *query, const mpf_options *options,
                       mpf_program **out) {
  return compileTo(network, query, options, out, [](Network copy, const HostOptions &all) {
    return AnyProgram(compile(std::move(copy), all.compiling));
  });
}

mpf_status mpf_compile_cases(const mpf_network *network, const char *query,
                             const mpf_options *options, mpf_program **out) {
  return compileTo(network, query, options, out, [](Network copy, const HostOptions &all) {
    return AnyProgram(compileCases(std::move(copy), all.cases, all.compiling));
  });
}

mpf_status mpf_program_save(const mpf_program *program, const char *path) {
  return callOn(program, [&](const mpf_program &handle) {
    required(path, "path");
    std::visit([&](const auto &one) { one.save(path); }, handle.program);
  });
}

mpf_status mpf_program_bytes(mpf_program *program, const void **bytes, size_t *count) {
  return callOn(program, [&](mpf_program &handle) {
    required(bytes, "bytes");
    required(count, "count");
    if (!handle.bytes)
      handle.bytes = std::visit([](const auto &one) { return one.bytes(); }, handle.program);
    *bytes = handle.bytes->data();
    *count = handle.bytes->size();
  });
}

mpf_status mpf_program_load(const char *path, const mpf_options *options, mpf_program **out) {
  return call(options, [&] {
    mpf_program *&made = newHandle(out);
    const LoadOptions loading = optionsOf(options).loading;
    AnyProgram program = load(required(path, "path"), loading);
    made = new mpf_program(std::move(program), {});
  });
}

mpf_status mpf_program_parse(const void *bytes, size_t count, const mpf_options *options,
                             mpf_program **out) {
  return call(options, [&] {
    mpf_program *&made = newHandle(out);
    const std::string_view file(static_cast<const char *>(required(bytes, "bytes")), count);
    const LoadOptions loading = optionsOf(options).loading;
    AnyProgram program = loadBytes(file, loading);
    made = new mpf_program(std::move(program), {});
  });
}

mpf_status mpf_program_query(const mpf_program *program, const char **name) {
  return callOn(program, [&](const mpf_program &handle) {
    required(name, "name");
    *name = std::visit([](const auto &one) { return one.query().c_str(); }, handle.program);
  });
}

mpf_status mpf_program_variable_count(const mpf_program *program, size_t *count) {
  return callOn(program, [&](const mpf_program &handle) {
    *required(count, "count") = handle.variables.size();
  });
}

mpf_status mpf_program_variable(const mpf_program *program, size_t index, const char **name,
                                uint32_t *states) {
  return callOn(program, [&](const mpf_program &handle) {
    setVariable(handle.variables, index, name, states);
  });
}

mpf_status mpf_program_label(const mpf_program *program, size_t index, uint32_t state,
                             const char **label) {
  return callOn(
      program, [&](const mpf_program &handle) { setLabel(handle.variables, index, state, label); });
}

mpf_status mpf_program_warning(const mpf_program *program, size_t index, const char **warning) {
  return callOn(program, [&](const mpf_program &handle) {
    setText(handle.warnings, index, required(warning, "warning"));
  });
}

const char *mpf_program_error(const mpf_program *program) { return errorOf(program); }

void mpf_program_free(mpf_program *program) { delete program; }
