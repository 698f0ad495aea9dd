// Options, versions and messages of the interface for C.
#include "runtime/c/handles.h"

#include <array>
#include <string_view>

using namespace mpf;
using namespace mpf::c;

uint32_t mpf_abi_version(void) { return MPF_ABI_VERSION; }

const char *mpf_version(void) { return MPF_VERSION; }

const char *mpf_status_name(int status) {
  static constexpr std::array kNames = {"ok",          "bad input", "usage",        "memory bound",
                                        "time limit",  "device",    "verification", "overflow",
                                        "unsupported", "cancelled"};
  if (status == MPF_INTERNAL)
    return "internal";
  return status >= 0 && static_cast<size_t>(status) < kNames.size()
             ? kNames[static_cast<size_t>(status)]
             : nullptr;
}

const char *mpf_last_error(void) { return lastError(); }

mpf_status mpf_options_new(mpf_options **out) {
  return call(nullptr, [&] { newHandle(out) = new mpf_options; });
}

mpf_status mpf_options_set(mpf_options *options, const char *name, const char *value) {
  return callOn(options, [&](mpf_options &handle) {
    setOption(handle.options, required(name, "name"), required(value, "value"));
  });
}

mpf_status mpf_options_set_param(mpf_options *options, const char *param, const double *values,
                                 uint64_t count, const uint64_t *shape, size_t rank) {
  return callOn(options, [&](mpf_options &handle) {
    required(param, "param");
    const auto numbers = spanOf(values, count, "values");
    const auto lengths = spanOf(shape, rank, "shape");
    if (numbers.empty())
      fail(ErrorKind::Usage, "param {} has no value", param);
    std::vector<double> entries(numbers.begin(), numbers.end());
    const GivenParam given = rank != 0
                                 ? GivenParam({lengths.begin(), lengths.end()}, std::move(entries))
                             : count == 1 ? GivenParam(entries.front())
                                          : GivenParam(std::move(entries));
    handle.options.reading.params.insert_or_assign(param, given);
  });
}

mpf_status mpf_options_set_progress(mpf_options *options, mpf_progress callback, void *user) {
  return callOn(options, [&](mpf_options &handle) {
    Watch watch;
    if (callback != nullptr)
      watch.progress = [callback, user](const Progress &progress) {
        return callback(user, std::string(progress.phase).c_str(), progress.seconds,
                        progress.share.value_or(-1)) == 0;
      };
    HostOptions &all = handle.options;
    all.reading.watch = all.compiling.watch = all.session.watch = watch;
  });
}

mpf_status mpf_options_list(size_t index, const char **name, const char **meaning) {
  return call(nullptr, [&] {
    required(name, "name");
    required(meaning, "meaning");
    const bool isThere = index < namedOptionCount();
    *name = isThere ? namedOption(index).name : nullptr;
    *meaning = isThere ? namedOption(index).meaning : nullptr;
  });
}

const char *mpf_options_error(const mpf_options *options) { return errorOf(options); }

void mpf_options_free(mpf_options *options) { delete options; }
