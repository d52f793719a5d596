// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/core/metrics/test_runs.h"

namespace dubito {
namespace {

TEST(MeasureSummary, IsMeanAndRangeOfEveryMeasureThatTheRunHas) {
  const dubito::Run run = test::randomRun(100, 4, 1.5, 3, true, true);
  const auto summaries = summariseMeasures(run, RunContext());
  ASSERT_TRUE(summaries);
  std::size_t available = 0;
  for (const Measure measure : allMeasures()) {
    const auto values = describe(measure).compute(run, RunContext());
    const auto summary = std::ranges::find(*summaries, measure, &MeasureSummary::measure);
    ASSERT_EQ(summary != summaries->end(), values.has_value()) << describe(measure).key;
    if (!values) {
      continue;
    }
    ++available;
    double sum = 0.0;
    for (const double value : values->values()) {
      sum += value;
    }
    EXPECT_EQ(summary->items, 100);
    EXPECT_DOUBLE_EQ(summary->mean, sum / 100.0);
    EXPECT_EQ(summary->min, std::ranges::min(values->values()));
    EXPECT_EQ(summary->max, std::ranges::max(values->values()));
  }
  EXPECT_GE(available, 3U);
  EXPECT_EQ(summaries->size(), available);
}

TEST(MeasureSummary, SkipsItemsWithoutAValue) {
  dubito::Run run = test::randomRun(3, 2, 1.0, 3, true, true);
  run.gauge_bridge = Array<double>::zeros({3});
  run.gauge_bridge->mutableData()[0] = std::numeric_limits<double>::quiet_NaN();
  run.gauge_bridge->mutableData()[1] = 0.25;
  run.gauge_bridge->mutableData()[2] = 0.75;
  const auto summaries = summariseMeasures(run, RunContext());
  ASSERT_TRUE(summaries);
  const auto summary =
      std::ranges::find(*summaries, Measure::kBridgeGauge, &MeasureSummary::measure);
  ASSERT_NE(summary, summaries->end());
  EXPECT_EQ(summary->items, 2);
  EXPECT_EQ(summary->mean, 0.5);
  EXPECT_EQ(toJson(*summaries).at("gauge_bridge").at("max"), 0.75);
}

}  // namespace
}  // namespace dubito
