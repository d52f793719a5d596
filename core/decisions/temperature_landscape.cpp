// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/temperature_landscape.h"

#include <cmath>
#include <stdexcept>

namespace dubito {

Expected<TemperatureLandscape> temperatureLandscape(const LogitTable& table, double low,
                                                    double high, int points, RunContext& context) {
  if (!(low > 0.0) || !(high > low) || points < 2) {
    throw std::invalid_argument("temperatureLandscape: 0 < low < high and two points at least");
  }
  if (table.labels.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no labelled item to draw a landscape of; give items with labels");
  }
  const std::vector<double> none(static_cast<std::size_t>(table.logits.extent(1)), 0.0);
  const double first = std::log10(low);
  const double last = std::log10(high);
  TemperatureLandscape landscape;
  for (int point = 0; point < points; ++point) {
    if (context.step("landscape", point, points) == Step::kCancel) {
      return cancelled();
    }
    const double place = first + (last - first) * point / (points - 1);
    const std::vector<double> scale(none.size(), std::pow(10.0, -place));
    const CalibrationScores scores = calibrationScores(table, scale, none, context);
    landscape.log10_temperature.push_back(place);
    landscape.nll.push_back(scores.nll);
    landscape.ece.push_back(scores.ece);
  }
  return landscape;
}

}  // namespace dubito
