#include "tests/oracle/edge/edge_refusals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::oracle {

namespace {

/// Returns the greatest sum of magnitudes that an assignment could have, within a double's 2^-52,
/// or inf.
double greatestSum(const EdgeCase &edge) {
  double greatest = 0;
  for (size_t run = 0; run < edge.runs(); ++run) {
    double sum = 0;
    for (const FactorId id : edge.query.factors) {
      double most = 0;
      for (const double value : *edge.modelOf(run).factor(id).values)
        most = std::isinf(value) ? most : std::max(most, std::abs(value));
      sum += most;
    }
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

bool addsLogs(const EdgeCase &edge) {
  return edge.query.combine == Combine::Plus && !edge.query.reductions.empty() &&
         edge.query.reductions.front().reduce == Reduce::LogSum;
}

bool addsCosts(const EdgeCase &edge) {
  return edge.query.combine == Combine::Plus && !addsLogs(edge);
}

struct RefusalRow {
  ErrorKind kind;
  std::string_view words; ///< words of the message
  std::string_view reason;
  bool (*holds)(const EdgeCase &edge);
};

constexpr RefusalRow kRefusals[] = {
    {ErrorKind::MemoryBound, "", "the memory bound cannot be met",
     [](const EdgeCase &edge) { return edge.options.memoryShare > 0; }},
    {ErrorKind::BadInput, "beyond any scale", "e^x has no 32-bit exponent",
     [](const EdgeCase &edge) { return addsLogs(edge) && greatestSum(edge) > 6e8; }},
    {ErrorKind::Unsupported, "beyond any scale", "the sum of logs has no 32-bit exponent",
     [](const EdgeCase &edge) { return addsLogs(edge) && greatestSum(edge) > 6e8; }},
    {ErrorKind::BadInput, "too large for f32", "a cost that f32 cannot hold",
     [](const EdgeCase &edge) {
       return addsCosts(edge) && edge.options.type == ElementType::F32 &&
              greatestSum(edge) > static_cast<double>(std::numeric_limits<float>::max());
     }},
    {ErrorKind::Unsupported, "beyond", "a sum of costs that no double can hold",
     [](const EdgeCase &edge) { return addsCosts(edge) && std::isinf(greatestSum(edge)); }},
};

} // namespace

std::string_view legitimateRefusal(const EdgeCase &edge, ErrorKind kind, std::string_view message) {
  for (const RefusalRow &row : kRefusals)
    if (row.kind == kind && message.find(row.words) != std::string_view::npos && row.holds(edge))
      return row.reason;
  return {};
}

} // namespace mpf::oracle
