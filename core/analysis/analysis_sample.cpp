// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis_sample.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/io/run_schema.h"
#include "core/runs/run_rows.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxItems = 20'000;
// Fewer show curves that are too rough to look at.
constexpr std::int64_t kMinItems = 2'000;
constexpr std::int64_t kMaxNumbers = 8'000'000;
// Items of the run for each of the sample, so that this is there much earlier.
constexpr std::int64_t kMinReduction = 10;

/// Numbers that the arrays of the run have for each item.
std::int64_t numbersPerItem(const Run& run) {
  std::int64_t numbers = 0;
  forEachArrayOf(run, [&numbers](const RunArrayInfo& info, const auto& values) {
    numbers += info.axes.contains(RunAxis::kItem) ? values.size() : 0;
  });
  return std::max<std::int64_t>(1, numbers / std::max<std::int64_t>(1, run.itemCount()));
}

}  // namespace

std::int64_t sampleSize(const Run& run) {
  const std::int64_t items = std::min(kMaxItems, kMaxNumbers / numbersPerItem(run));
  return items >= kMinItems && run.itemCount() >= kMinReduction * items ? items : 0;
}

Expected<AnalysisSample> analyseSample(const std::string& name, const Run& run,
                                       const EvaluationOptions& options, RunContext& context) {
  const std::vector<std::int64_t> rows = keyedRows(run.ids.values(), sampleSize(run));
  std::vector<AnalysisPart> parts;
  parts.push_back(
      makePart(name, std::make_shared<const Run>(rowsOfRun(run, rows, context)), nullptr, context));
  Expected<AnalysisPtr> analysis =
      analyse(std::move(parts), nullptr, std::nullopt, options, context);
  return analysis ? Expected<AnalysisSample>(AnalysisSample{*std::move(analysis), run.itemCount()})
                  : failWith(analysis);
}

}  // namespace dubito
