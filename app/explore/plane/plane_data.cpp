// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/plane_data.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/shift/shift_request.h"
#include "core/data/sources/plane_grid.h"

namespace dubito {
namespace {

// Margin on each side as a share of the data's range, to show uncertainty beyond the data.
constexpr double kBeyondData = 0.25;

}  // namespace

ScatterDataPtr planePoints(const AnalysisPtr& analysis) {
  const ItemNumbers numbers(*analysis);
  std::vector<std::uint32_t> items;
  std::vector<double> x;
  std::vector<double> y;
  std::int64_t without_value = 0;
  for (std::size_t p = 0; p < analysis->parts.size(); ++p) {
    const AnalysisPart& part = analysis->parts[p];
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      const double* const at = part.positions.empty() ? nullptr : part.positions.data() + 2 * row;
      if (at == nullptr || !std::isfinite(at[0]) || !std::isfinite(at[1])) {
        ++without_value;
        continue;
      }
      items.push_back(static_cast<std::uint32_t>(numbers.firstOf(p) + row));
      x.push_back(at[0]);
      y.push_back(at[1]);
    }
  }
  if (items.empty()) {
    return nullptr;
  }
  const Interval x_range = paddedRange(x, kBeyondData);
  const Interval y_range = paddedRange(y, kBeyondData);
  ScatterData data = makeScatterData(
      analysis, {numbers, std::move(items)}, Array<double>::fromVector(std::move(x)),
      Array<double>::fromVector(std::move(y)), x_range, y_range, Crowd::kSampled);
  data.without_value = without_value;
  return std::make_shared<const ScatterData>(std::move(data));
}

std::string whyNoPlaneField(const Analysis& analysis) {
  return whyNoShift(analysis);
}

Expected<PlaneFieldPtr> computePlaneField(const PlaneFieldRequest& request, RunContext& context) {
  if (!request.analysis || !whyNoPlaneField(*request.analysis).empty()) {
    throw std::invalid_argument("computePlaneField: the analysis has no model or method");
  }
  const DatasetPtr grid = makePlaneGrid(request.x, request.y, request.side, request.side);
  context.seed = request.analysis->in().run->meta.seed;
  auto run =
      predict(*request.analysis->model, *grid, *request.analysis->method, request.predict, context);
  if (!run) {
    return failWith(run);
  }
  auto field = std::make_shared<PlaneField>();
  field->analysis = request.analysis;
  field->x = request.x;
  field->y = request.y;
  field->columns = request.side;
  field->rows = request.side;
  field->cells =
      makePart(grid->info().name, std::make_shared<const Run>(*std::move(run)), nullptr, context);
  return PlaneFieldPtr(std::move(field));
}

}  // namespace dubito
