// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/plane_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/words/words.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QString measureTitle(Measure measure) {
  const QString unit = measureUnit(measure);
  return unit.isEmpty() ? measureName(measure)
                        : QStringLiteral("%1 (%2)").arg(measureName(measure), unit);
}

std::shared_ptr<const ScatterBackdrop> makeBackdrop(const PlaneField& field,
                                                    std::optional<Measure> measure) {
  const AnalysisPart& cells = field.cells;
  if (measure && !cells.has(*measure)) {
    return nullptr;
  }
  auto backdrop = std::make_shared<ScatterBackdrop>();
  backdrop->x = field.x;
  backdrop->y = field.y;
  backdrop->columns = field.columns;
  backdrop->rows = field.rows;
  const std::int64_t count = cells.run->itemCount();
  backdrop->values.assign(
      static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows),
      std::numeric_limits<double>::quiet_NaN());
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::int64_t row = 0; row < count; ++row) {
    // Ids of the grid are cell indices; cells that could not be predicted have no row.
    const auto cell = static_cast<std::size_t>(cells.run->ids.data()[row]);
    const double value = measure ? cells.values(*measure).data()[row]
                                 : static_cast<double>(cells.run->predictions.data()[row]);
    backdrop->values[cell] = value;
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!measure) {
    backdrop->name = tr("predicted");
    for (std::int64_t k = 0; k < cells.run->classCount(); ++k) {
      backdrop->classes << className(*field.analysis, k);
    }
    return backdrop;
  }
  backdrop->name = measureName(*measure);
  backdrop->label = measureTitle(*measure);
  // A constant measure still needs a non-empty scale.
  backdrop->range = low < high ? Interval{low, high} : Interval{0.0, std::max(1e-9, high)};
  return backdrop;
}

}  // namespace

ScatterPlotValue planePlotValue(const ScatterDataPtr& points, const PlaneFieldPtr& field,
                                std::optional<Measure> measure) {
  ScatterPlotValue value;
  value.points = std::shared_ptr<const ScatterPoints>(points, &points->points);
  for (const ItemGroup group :
       {ItemGroup::kCorrect, ItemGroup::kMisclassified, ItemGroup::kOod, ItemGroup::kUnlabelled}) {
    value.groups.push_back({groupName(group), groupColor(group)});
  }
  value.drawn = points->drawn;
  value.is_density = points->is_density;
  value.x_name = QStringLiteral("x");
  value.y_name = QStringLiteral("y");
  value.x_label = tr("x (first input)");
  value.y_label = tr("y (second input)");
  value.name_of = [points](std::int32_t point) {
    const ItemRef item = points->items[static_cast<std::size_t>(point)];
    const QString label = trueClassName(*points->run, item);
    const QString name = itemName(*points->run, item);
    return label.isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, label);
  };
  if (field) {
    value.backdrop = makeBackdrop(*field, measure);
  }
  return value;
}

QString planeCaption(const ScatterData& points, const PlaneFieldPtr& field,
                     std::optional<Measure> measure) {
  QStringList parts;
  const auto drawn = static_cast<std::int64_t>(points.drawn.size());
  parts << (drawn < points.points.size()
                ? tr("%1 of %2 items drawn").arg(countText(drawn), countText(points.points.size()))
                : countedText(drawn, tr("%1 item"), tr("%1 items")));
  if (field) {
    parts << tr("colours: %1 of %2, %3 × %4 grid")
                 .arg(measure ? measureName(*measure) : tr("predicted class"),
                      QString::fromStdString(field->analysis->name))
                 .arg(field->columns)
                 .arg(field->rows);
  }
  if (points.without_value > 0) {
    parts << tr("%1 omitted (no coordinates)").arg(countText(points.without_value));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
