// Planning a small seeded sample of every set, and the reports on it.
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/error.h"
#include "tools/mpf-bench/measure/plan_buckets.h"
#include "tools/mpf-bench/report/against.h"
#include "tools/mpf-bench/report/plot.h"
#include "tools/mpf-bench/report/report_text.h"
#include "tools/mpf-bench/report/scatter_page.h"
#include "tools/mpf-bench/shapes/choose_shapes.h"
#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpf::bench {
namespace {

constexpr double kPlenty = 1e6; ///< seconds

BucketBenchOptions sampleOptions() {
  BucketBenchOptions options;
  options.sets = {"ics08", "gems", "canonical", "tccg"};
  options.limit = 3;
  return options;
}

std::vector<BucketJob> sampleJobs(const char *family = "auto") {
  PlanBucketsOptions options;
  options.target = targetNamed("sm_90");
  options.forms = {ValueForm::Linear, ValueForm::Log};
  options.family = family;
  options.threads = 2;
  return planBuckets(chooseShapes(sampleOptions()), options, TimeBudget(kPlenty));
}

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(BenchReport, EveryBucketOfTheSampleIsPlanned) {
  const std::vector<BucketJob> jobs = sampleJobs();
  EXPECT_EQ(jobs.size(), 4u * 3 * 2 * 2); // types, forms
  for (const BucketJob &job : jobs) {
    SCOPED_TRACE(job.groupName() + " " + job.shape.name);
    ASSERT_TRUE(job.plan.has_value()) << job.result.note;
    EXPECT_EQ(findFault(*job.plan, targetNamed("sm_90")), "");
    EXPECT_GT(job.plan->header().floorUs, 0);
    EXPECT_GT(*job.fraction(), 0);
  }
}

TEST(BenchReport, ThePapersSchemeIsOneOutputPerThread) {
  for (const BucketJob &job : sampleJobs("ics08")) {
    ASSERT_TRUE(job.plan.has_value()) << job.shape.name << ": " << job.result.note;
    EXPECT_EQ(job.family, "ics08");
    const auto *const nest = std::get_if<NestPlan>(&*job.plan);
    ASSERT_NE(nest, nullptr) << job.shape.name;
    EXPECT_TRUE(std::none_of(nest->axes.begin(), nest->axes.end(),
                             [](const Axis &axis) { return axis.role == AxisRole::Register; }));
    EXPECT_EQ(findFault(*job.plan, targetNamed("sm_90")), "");
    // Blocks for every multiprocessor, as soon as there are outputs for them.
    const uint64_t outputs = nest->form.keptAddresses();
    EXPECT_TRUE(outputs < 1u << 20 || nest->launch.gridBlocks >= 132) << job.shape.name;
  }
}

TEST(BenchReport, ASpentBudgetSkipsInsteadOfPlanning) {
  PlanBucketsOptions options;
  options.target = targetNamed("sm_90");
  for (const BucketJob &job : planBuckets(chooseShapes(sampleOptions()), options, TimeBudget(0)))
    EXPECT_EQ(job.result.outcome, Outcome::Skipped);
}

TEST(BenchReport, SummaryOfKnownTimes) {
  BucketBenchOptions choice;
  choice.sets = {"ics08"};
  choice.limit = 6;
  PlanBucketsOptions options;
  options.target = targetNamed("sm_90");
  options.types = {ElementType::F32};
  std::vector<BucketJob> jobs = planBuckets(chooseShapes(choice), options, TimeBudget(kPlenty));
  ASSERT_EQ(jobs.size(), 6u);
  for (size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].result.outcome = Outcome::Right;
    jobs[i].result.timeUs = jobs[i].plan->header().floorUs * (i < 3 ? 2.5 : 1.6);
  }
  jobs[5].result = {Outcome::Wrong, "", std::nullopt, 1.0, 0, 0};
  const std::vector<GroupSummary> summaries = summarise(jobs, options.target);
  ASSERT_EQ(summaries.size(), 1u);
  const GroupSummary &summary = summaries.front();
  EXPECT_EQ(summary.jobs, 6u);
  EXPECT_EQ(summary.judged, 5u);
  EXPECT_EQ(summary.wrong, 1u);
  EXPECT_NEAR(summary.meanFraction, std::pow(0.4, 0.6) * std::pow(0.625, 0.4), 1e-12);
  EXPECT_NEAR(summary.leastFraction, 0.4, 1e-12);
  EXPECT_NEAR(summary.shareUnderHalf, 0.6, 1e-12);
  EXPECT_TRUE(summary.modelError.has_value());
  ASSERT_EQ(summary.worst.size(), 5u);
  EXPECT_LT(*summary.worst[2]->fraction(), 0.5);
  EXPECT_GT(*summary.worst[3]->fraction(), 0.5);
  EXPECT_NE(summaryText(summaries).find("under 0.5: 60.0 %"), std::string::npos);
  EXPECT_EQ(count(jobTable(jobs), "\n"), 7u);
}

TEST(BenchReport, ReportsAreDeterministicAndComplete) {
  const ReportHead head{"a <device>", "mpf-bench buckets"};
  const Target target = targetNamed("sm_90");
  const std::vector<BucketJob> jobs = sampleJobs(), again = sampleJobs();
  const std::string json = reportJson(head, jobs, summarise(jobs, target));
  EXPECT_EQ(json, reportJson(head, again, summarise(again, target)));
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["buckets"].size(), jobs.size());
  EXPECT_EQ(read["summaries"].size(), 16u);
  EXPECT_TRUE(read["buckets"][0]["time_us"].is_null());

  const std::string page = scatterPage(head, jobs, summarise(jobs, target));
  EXPECT_EQ(page, scatterPage(head, again, summarise(again, target)));
  EXPECT_EQ(count(page, "<svg"), 32u);
  EXPECT_EQ(count(page, "<circle"), 3 * jobs.size()); // speed, floor, share
  EXPECT_EQ(count(page, "</title></circle>"), 2 * jobs.size());
  EXPECT_NE(page.find("a &lt;device&gt;"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos); // nothing from outside
}

TEST(BenchReport, ExportedShapesAreDenseTables) {
  const std::vector<BucketShape> shapes = chooseShapes(sampleOptions());
  const auto read = nlohmann::json::parse(shapesJson(shapes));
  ASSERT_EQ(read["buckets"].size(), shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto &bucket = read["buckets"][i];
    uint64_t elems = 0;
    auto scopes = bucket["operands"];
    scopes.push_back(bucket["result"]);
    for (const auto &scope : scopes) {
      uint64_t size = 1;
      for (const auto &digit : scope)
        size *= bucket["extents"][digit.get<size_t>()].get<uint64_t>();
      elems += size;
    }
    EXPECT_EQ(elems, tableElemsOf(shapes[i])) << shapes[i].name;
  }
}

TEST(BenchReport, ChainIsSummedUpWhenComplete) {
  BucketBenchOptions options;
  for (unsigned step = 1; step <= kChainSteps; ++step)
    options.names.push_back(fmt::format("chain-{:02}", step));
  PlanBucketsOptions plan;
  plan.target = targetNamed("sm_90");
  plan.types = {ElementType::F32};
  std::vector<BucketJob> jobs = planBuckets(chooseShapes(options), plan, TimeBudget(kPlenty));
  EXPECT_EQ(count(chainText(jobs, plan.target), "chain of 12 steps"), 1u);
  jobs.pop_back(); // its last step
  EXPECT_EQ(chainText(jobs, plan.target), "");
}

TEST(BenchReport, AnotherReportGivesTheGain) {
  std::vector<BucketJob> slower = sampleJobs("ics08"), jobs = sampleJobs();
  const Target target = targetNamed("sm_90");
  EXPECT_EQ(againstText(jobs), "");
  readAgainst("slower.json", reportJson({}, slower, {}), jobs);
  for (size_t i = 0; i < jobs.size(); ++i)
    EXPECT_DOUBLE_EQ(*jobs[i].gain(),
                     slower[i].plan->header().predictedUs / jobs[i].plan->header().predictedUs);
  const std::string text = againstText(jobs);
  EXPECT_EQ(count(text, "\n"), 16u);
  EXPECT_EQ(count(text, ": 3 buckets against"), 16u);
  EXPECT_EQ(count(scatterPage({}, jobs, summarise(jobs, target)), "<svg"), 48u);
}

TEST(BenchReport, WhatIsNoReportIsRefused) {
  std::vector<BucketJob> jobs;
  for (const char *text : {"", "[]", "{}", "{\"buckets\": [{}]}", "{\"buckets\": [3]}"})
    EXPECT_THROW(readAgainst("file", text, jobs), Error) << text;
}

TEST(BenchReport, UnknownNamesAreRefused) {
  BucketBenchOptions options;
  options.names = {"pair", "no-such-bucket"};
  EXPECT_THROW(chooseShapes(options), Error);
  options.names = {"triangle", "pair"};
  EXPECT_EQ(chooseShapes(options).size(), 2u);
  options.sets = {"no-such-set"};
  EXPECT_THROW(chooseShapes(options), Error);
}

TEST(BenchReport, PlotsEscapeAndStayInside) {
  Plot plot{"x", "y < 1", false, 0, 1, {0.5}, {{10, 7, "red", "a & b"}, {1e4, 0.2, "blue", ""}}};
  const std::string svg = svgText(plot);
  EXPECT_NE(svg.find("<title>a &amp; b</title>"), std::string::npos);
  EXPECT_NE(svg.find("y &lt; 1"), std::string::npos);
  EXPECT_NE(svg.find("cy=\"12.0\""), std::string::npos); // y = 7 sits on the upper edge
  EXPECT_EQ(svgText({}), "");
}

} // namespace
} // namespace mpf::bench
