#include "runtime/library/named_options.h"

#include "codegen/machine/device_request.h"
#include "dsl/formats/cases/host/state_reader.h"
#include "dsl/formats/network/format_options.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "runtime/schedule/launches/join_levels.h"

#include <cmath>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Sets the members of one option; `name` is for messages.
using SetOption = void (*)(HostOptions &, std::string_view name, const std::string &text);

struct OptionMember {
  NamedOption option;
  SetOption set;
};

bool truthOf(std::string_view name, const std::string &text) {
  if (text != "true" && text != "false")
    fail(ErrorKind::Usage, "option {}: '{}' is neither true nor false", name, text);
  return text == "true";
}

uint64_t countOf(std::string_view name, const std::string &text, uint64_t most) {
  const std::optional<uint64_t> number = parseUnsigned(text);
  if (!number || *number > most)
    fail(ErrorKind::Usage, "option {}: '{}' is no whole number from 0 to {}", name, text, most);
  return *number;
}

double numberOf(std::string_view name, const std::string &text) {
  const std::optional<double> number = parseDouble(text);
  if (!number || std::isnan(*number) || *number < 0)
    fail(ErrorKind::Usage, "option {}: '{}' is no number from 0", name, text);
  return *number;
}

uint64_t bytesOf(std::string_view name, const std::string &text) {
  if (text == "none")
    return UINT64_MAX;
  if (const std::optional<uint64_t> bytes = parseBytes(text))
    return *bytes;
  fail(ErrorKind::Usage, "option {}: '{}' is no size such as 512M or 4GiB, and not 'none'", name,
       text);
}

/// Sets a text or a truth value of one part of the options.
template <auto part, auto member>
void setMember(HostOptions &options, [[maybe_unused]] std::string_view name,
               const std::string &text) {
  auto &value = options.*part.*member;
  if constexpr (std::is_same_v<decltype(value), bool &>)
    value = truthOf(name, text);
  else
    value = text;
}

template <auto member> void addTo(HostOptions &options, std::string_view, const std::string &text) {
  (options.cases.*member).push_back(text);
}

void addCaseParam(HostOptions &options, std::string_view, const std::string &text) {
  options.reading.caseParams.push_back(text);
  options.cases.params.push_back(text);
}

void setStates(HostOptions &options, std::string_view, const std::string &text) {
  numberReadingNamed(text); // or throws
  options.reading.states = text;
}

void setType(HostOptions &options, std::string_view name, const std::string &text) {
  if (!elementTypeNamed(text))
    fail(ErrorKind::Usage, "option {}: there is no type '{}'", name, text);
  options.compiling.type = text;
}

void setSchedule(HostOptions &options, std::string_view, const std::string &text) {
  placementMethodNamed(text); // or throws
  options.compiling.schedule = options.session.schedule = text;
}

void setDevice(HostOptions &options, std::string_view, const std::string &text) {
  deviceRequestOf(text); // or throws
  options.compiling.device = options.session.device = text;
}

void setResident(HostOptions &options, std::string_view, const std::string &text) {
  joinLevelsNamed(text); // or throws
  options.session.resident = text;
}

void setMemory(HostOptions &options, std::string_view name, const std::string &text) {
  options.compiling.maxMemoryBytes = bytesOf(name, text);
}

void setRuns(HostOptions &options, std::string_view name, const std::string &text) {
  options.compiling.expectedRuns = options.session.expectedRuns = numberOf(name, text);
}

void setAutotune(HostOptions &options, std::string_view name, const std::string &text) {
  options.compiling.autotune = static_cast<unsigned>(countOf(name, text, 1024));
}

void setThreads(HostOptions &options, std::string_view name, const std::string &text) {
  options.session.threads = static_cast<unsigned>(countOf(name, text, 1024));
}

void setSlices(HostOptions &options, std::string_view name, const std::string &text) {
  options.session.slicesAtOnce = static_cast<unsigned>(countOf(name, text, 64));
}

void setSamples(HostOptions &options, std::string_view name, const std::string &text) {
  options.session.verifySamples = countOf(name, text, 1u << 20);
}

void setRows(HostOptions &options, std::string_view name, const std::string &text) {
  options.expected.rows = countOf(name, text, UINT64_MAX);
}

constexpr auto kReading = &HostOptions::reading;
constexpr auto kCompiling = &HostOptions::compiling;
constexpr auto kSession = &HostOptions::session;

constexpr OptionMember kOptions[] = {
    {{"format", "ending of the format of a text that is parsed: \".bif\""},
     setMember<kReading, &ReadOptions::format>},
    {{"normalise", "true: divide rows of conditional tables by their sums"},
     setMember<kReading, &ReadOptions::normalise>},
    {{"evidence", "a UAI evidence file of the network that is read"},
     setMember<kReading, &ReadOptions::evidence>},
    {{"states", "meaning of numbers where labels look like numbers: labels or numbers"}, setStates},
    {{"case-param", "a param that cases set; several calls name several"}, addCaseParam},
    {{"observe", "evidence in the language: \"wet = yes, rain ~ [0.3, 0.7]\""},
     setMember<kCompiling, &CompileOptions::observe>},
    {{"unobserve", "variables whose evidence is taken away before: \"wet, x[3]\""},
     setMember<kCompiling, &CompileOptions::unobserve>},
    {{"type", "type of the numbers: f64, f32, u64 or u128"}, setType},
    {{"max-memory", "memory for tables, such as 512M or 4GiB; none: no bound"}, setMemory},
    {{"device", "devices that may be used: auto, cpu, gpu or gpu:N"}, setDevice},
    {{"schedule", "how CPU and GPU share a run: auto, cpu, gpu, greedy or acceleration"},
     setSchedule},
    {{"target", "plan GPU kernels for this architecture: sm_90"},
     setMember<kCompiling, &CompileOptions::gpuArch>},
    {{"runs", "number of runs over which compiling kernels must pay"}, setRuns},
    {{"autotune", "number of candidates that are measured for each GPU kernel"}, setAutotune},
    {{"final-tables", "true: only input factors are bound"},
     setMember<kCompiling, &CompileOptions::finalTables>},
    {{"final-evidence", "true: observed states do not change either"},
     setMember<kCompiling, &CompileOptions::finalEvidence>},
    {{"keep-messages", "true: a run computes only what has changed since the last"},
     setMember<kCompiling, &CompileOptions::keepMessages>},
    {{"observable", "a variable that cases may observe; several calls name several"},
     addTo<&CaseOptions::observable>},
    {{"observes-nothing", "true: cases observe no variable"},
     setMember<&HostOptions::cases, &CaseOptions::observesNothing>},
    {{"likelihood", "a variable whose states cases weigh; several calls name several"},
     addTo<&CaseOptions::likelihoods>},
    {{"rows", "approximate number of cases in all calls"}, setRows},
    {{"on-device", "true: cases and answers lie in the memory of a GPU"},
     setMember<&HostOptions::expected, &ExpectedCases::onDevice>},
    {{"resident", "whether GPU operations share launches: auto, off or on"}, setResident},
    {{"hides-copies", "false: copies to a GPU do not overlap launches"},
     setMember<kSession, &SessionOptions::hidesCopies>},
    {{"slices-at-once", "slices that a GPU computes side by side, at most 64"}, setSlices},
    {{"threads", "threads of the CPU, at most 1024; 0: one for each core"}, setThreads},
    {{"verify-samples", "entries of each operation that every run computes twice"}, setSamples},
    {{"forbid-compiling", "true: a kernel that is not in the cache is an error"},
     setMember<kSession, &SessionOptions::forbidCompiling>},
    {{"dump-kernels", "folder for the sources of GPU kernels"},
     setMember<kSession, &SessionOptions::dumpKernels>},
    {{"override-kernels", "folder of sources that replace those of GPU kernels"},
     setMember<kSession, &SessionOptions::overrideKernels>},
    {{"trust", "true: kernels in a loaded file run unchecked"},
     setMember<&HostOptions::loading, &LoadOptions::trust>},
};

} // namespace

void setOption(HostOptions &options, std::string_view name, const std::string &text) {
  for (const auto &[option, set] : kOptions)
    if (option.name == name)
      return set(options, name, text);
  for (const FormatOption &option : formatOptions())
    if (hostName(option) == name) {
      ModelReadOptions checked;
      option.set(checked, text); // or throws
      options.reading.formatOptions[std::string(name)] = text;
      return;
    }
  Suggestion near(name);
  for (size_t i = 0; i < namedOptionCount(); ++i)
    near.offer(namedOption(i).name);
  const std::string hint = near.hint();
  fail(ErrorKind::Usage, "there is no option '{}'{}{}", name, hint.empty() ? "" : "; ", hint);
}

size_t namedOptionCount() { return std::size(kOptions) + formatOptions().size(); }

NamedOption namedOption(size_t index) {
  MPF_CHECK(index < namedOptionCount(), "option {} of {}", index, namedOptionCount());
  if (index < std::size(kOptions))
    return kOptions[index].option;
  const FormatOption &option = formatOptions()[index - std::size(kOptions)];
  return {hostName(option).data(), option.meaning.data()}; // literals: a zero follows
}

} // namespace mpf
