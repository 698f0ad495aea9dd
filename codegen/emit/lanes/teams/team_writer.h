// What the texts of a team's tasks have in common: names, addresses, and loads and stores of
// messages.
//
// In the text `lane` and `warp` are the thread's, `i` is its case, `active` tells whether it has
// one of its own, `near` and `far` point to the lane's entry 0, the next entry is 32 further.
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
  bool watches() const; ///< some message is rescaled: `left` exists

  static const char *arena(const TeamPlace &place) { return place.far ? "far" : "near"; }
  uint32_t loadSite(const TeamPlace &place, const std::string &object);
  uint32_t storeSite(const TeamPlace &place, const std::string &object);

  /// An entry of the lane, to be read: `index` is text, in entries of the place.
  std::string load(const TeamPlace &place, const std::string &index, const std::string &object);
  void store(const TeamPlace &place, const std::string &index, const std::string &object,
             const std::string &value);

  /// "d2 * 27u + d0", "0u" for none: digit d of `digits` is the variable PREFIXd.
  static std::string sum(char prefix, std::span<const size_t> digits,
                         std::span<const uint64_t> strides);

  /// Loads `count` entries that lie one behind the other in the image, by the widest loads that
  /// `pitch` allows, and declares them as `name`0, `name`1, ... `from` points to the first.
  void loadRow(const std::string &name, uint64_t count, uint64_t pitch, const std::string &from,
               SiteKind kind, const std::string &object);

  /// The lane's exponent of a message: that of its operands, as text.
  std::string exponentsOf(const std::vector<uint32_t> &operands);
  void storeExponent(uint32_t message, const std::string &value);
  std::string loadExponent(uint32_t message);

  /// Rescales names (entries of the message in registers) where the plan says so and they are all
  /// of it, and keeps its exponent; several tiles keep the greatest entry instead.
  void finishEntries(const TeamTask &task, const std::vector<std::string> &names,
                     const std::vector<uint32_t> &operands);
};

/// The text of one tile of an Operation; `tile` is its number.
void writeTeamOperation(TeamWriter &writer, const TeamTask &task);

/// Of one tile of a Gather, Weights or Rescale: `tile` is the number of a stretch.
void writeTeamGather(TeamWriter &writer, const TeamTask &task);
void writeTeamWeights(TeamWriter &writer, const TeamTask &task);
void writeTeamRescale(TeamWriter &writer, const TeamTask &task);

void writeTeamOutput(TeamWriter &writer, const TeamTask &task);
void writeTeamDecoding(TeamWriter &writer);

} // namespace mpf
