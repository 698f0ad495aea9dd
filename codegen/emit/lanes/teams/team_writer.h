// Prints the common parts of a team's tasks: names, addresses, and loads and stores of messages.
//
// Names in the text: `lane` and `warp` are the thread's numbers, `i` is its case. `active` is false
// for a lane that repeats another lane's case. `near` and `far` point to the lane's entry 0; the
// next entry is 32 further.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/emit/lanes/teams/team_image.h"
#include "codegen/emit/nest/site.h"
#include "dsl/support/code_writer.h"

#include <span>
#include <string>
#include <vector>

namespace mpf {

inline constexpr uint64_t kTeamLanes = 32;

struct TeamWriter {
  const LaneProgram &program;
  const LinearPlan &plan;
  const ElementType type;
  const TeamSchedule &schedule;
  const TeamImage &image;
  const LaneKernel &kernel;
  const std::string entry; ///< float or double
  SiteTable sites;
  CodeWriter out;

  uint64_t vectorElems() const { return laneVectorElems(type); }
  bool watches() const; ///< whether some message is rescaled; then `left` exists

  static const char *arena(const TeamPlace &place) { return place.far ? "far" : "near"; }
  uint32_t loadSite(const TeamPlace &place, const std::string &object);
  uint32_t storeSite(const TeamPlace &place, const std::string &object);

  /// Returns the expression that loads an entry of the lane. `index` is text that counts entries of
  /// the place.
  std::string load(const TeamPlace &place, const std::string &index, const std::string &object);
  void store(const TeamPlace &place, const std::string &index, const std::string &object,
             const std::string &value);

  /// Returns a text like "d2 * 27u + d0", or "0u" without digits. Digit d of `digits` is the
  /// variable PREFIXd.
  static std::string sum(char prefix, std::span<const size_t> digits,
                         std::span<const uint64_t> strides);

  /// Loads `count` consecutive entries of the image, by the widest loads that `pitch` allows, and
  /// declares them as `name`0, `name`1, ... `from` points to the first.
  void loadRow(const std::string &name, uint64_t count, uint64_t pitch, const std::string &from,
               SiteKind kind, const std::string &object);

  /// Returns the text of the lane's exponent of a message: the sum of its operands' exponents.
  std::string exponentsOf(const std::vector<uint32_t> &operands);
  void storeExponent(uint32_t message, const std::string &value);
  std::string loadExponent(uint32_t message);

  /// Stores the exponent of the message, if it has one. If the plan rescales the message, one tile
  /// rescales all its entries (`names`, in registers); several tiles record the greatest entry
  /// instead, for a Rescale task.
  void finishEntries(const TeamTask &task, const std::vector<std::string> &names,
                     const std::vector<uint32_t> &operands);
};

/// The text of one tile of an Operation; `tile` is its number.
void writeTeamOperation(TeamWriter &writer, const TeamTask &task);

/// The text of one tile of a Gather, Weights or Rescale; `tile` is the number of a stretch
/// (kTeamStretch).
void writeTeamGather(TeamWriter &writer, const TeamTask &task);
void writeTeamWeights(TeamWriter &writer, const TeamTask &task);
void writeTeamRescale(TeamWriter &writer, const TeamTask &task);

void writeTeamOutput(TeamWriter &writer, const TeamTask &task);
void writeTeamDecoding(TeamWriter &writer);

} // namespace mpf
