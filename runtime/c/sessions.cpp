// Sessions for C: one case at a time.
#include "runtime/c/handles.h"

using namespace mpf;
using namespace mpf::c;

namespace {

/// Does the work on either kind of session.
template <class Work> mpf_status onEither(mpf_session *session, const Work &work) noexcept {
  return callAlone(session, [&](mpf_session &handle) { std::visit(work, handle.session); });
}

template <class Work> mpf_status onCase(mpf_session *session, const Work &work) noexcept {
  return callAlone(
      session, [&](mpf_session &handle) { work(kindOf<SingleCase>(handle, "mpf_compile_cases")); });
}

/// Makes a result of what a function of a session returns.
template <class Run>
mpf_status runTo(mpf_session *session, mpf_result **out, const Run &run) noexcept {
  return call(session, [&] {
    mpf_result *&made = newHandle(out);
    const InUse mine(required(session, "the handle")->busy);
    made = new mpf_result(run(*session));
  });
}

} // namespace

mpf_status mpf_session_open(const mpf_program *program, const mpf_options *options,
                            mpf_session **out) {
  return call(program, [&] {
    mpf_session *&made = newHandle(out);
    const SessionOptions session = optionsOf(options).session;
    const auto &compiled = required(program, "the program")->program;
    if (const auto *one = std::get_if<Program>(&compiled))
      made = new mpf_session(Session(*one, session));
    else
      made = new mpf_session(SingleCase(std::get<CaseProgram>(compiled), session));
  });
}

mpf_status mpf_session_bind(mpf_session *session, const char *factor, const double *values,
                            uint64_t count) {
  return onEither(session, [&](auto &own) {
    own.bind(required(factor, "factor"), spanOf(values, count, "values"));
  });
}

mpf_status mpf_session_observe(mpf_session *session, const char *variable, uint32_t state) {
  return onEither(session, [&](auto &own) { own.observe(required(variable, "variable"), state); });
}

mpf_status mpf_session_observe_label(mpf_session *session, const char *variable,
                                     const char *label) {
  return onEither(session, [&](auto &own) {
    own.observe(required(variable, "variable"), std::string_view(required(label, "label")));
  });
}

mpf_status mpf_session_unobserve(mpf_session *session, const char *variable) {
  return onCase(session, [&](SingleCase &own) { own.unobserve(required(variable, "variable")); });
}

mpf_status mpf_session_unobserve_all(mpf_session *session) {
  return onCase(session, [&](SingleCase &own) { own.unobserveAll(); });
}

mpf_status mpf_session_weigh(mpf_session *session, const char *variable, const double *weights,
                             uint64_t count) {
  return onCase(session, [&](SingleCase &own) {
    own.weigh(required(variable, "variable"), spanOf(weights, count, "weights"));
  });
}

mpf_status mpf_session_set_param(mpf_session *session, const char *param, double value) {
  return onCase(session, [&](SingleCase &own) { own.setParam(required(param, "param"), value); });
}

mpf_status mpf_session_run(mpf_session *session, mpf_result **out) {
  return runTo(session, out, [](mpf_session &handle) {
    return std::visit([](auto &own) { return Result(own.run()); }, handle.session);
  });
}

mpf_status mpf_session_start(mpf_session *session) {
  return callAlone(session,
                   [&](mpf_session &handle) { kindOf<Session>(handle, "mpf_compile").start(); });
}

mpf_status mpf_session_finish(mpf_session *session, mpf_result **out) {
  return runTo(session, out,
               [](mpf_session &handle) { return kindOf<Session>(handle, "mpf_compile").finish(); });
}

const char *mpf_session_error(const mpf_session *session) { return errorOf(session); }

void mpf_session_free(mpf_session *session) { delete session; }
