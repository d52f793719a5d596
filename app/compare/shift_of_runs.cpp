// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/shift_of_runs.h"

#include <algorithm>

#include "app/compare/run_style.h"

namespace dubito {
namespace {

/// The result of the first seed that has one, or null.
ShiftResultPtr resultOf(const ComparedRun& run, const std::vector<ShiftResultPtr>& results) {
  for (const AnalysisPtr& seed : run.seeds) {
    const auto found = std::ranges::find_if(results, [&seed](const ShiftResultPtr& result) {
      return result->analysis->in().run == seed->in().run;
    });
    if (found != results.end()) {
      return *found;
    }
  }
  return nullptr;
}

}  // namespace

CurvePlotValue shiftOfRuns(const std::vector<ComparedRun>& runs,
                           const std::vector<ShiftResultPtr>& results,
                           const ShiftQuantity& quantity) {
  CurvePlotValue value;
  std::vector<StyledCurve> curves;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ShiftResultPtr result = resultOf(runs[i], results);
    if (!result) {
      continue;
    }
    value = compareShift({result}, {QString::fromStdString(runs[i].name)}, quantity);
    for (StyledCurve& styled : value.curves) {
      const RunStyle style = runStyle(i);
      styled.run = style.color;
      styled.dash = style.dash;
      styled.marker = style.marker;
      curves.push_back(std::move(styled));
    }
  }
  value.curves = std::move(curves);
  return value;
}

}  // namespace dubito
