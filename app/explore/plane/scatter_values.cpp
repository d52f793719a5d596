// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/scatter_values.h"

#include <algorithm>

#include "app/words/words.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr ItemGroup kGroups[] = {ItemGroup::kCorrect, ItemGroup::kMisclassified, ItemGroup::kOod,
                                 ItemGroup::kUnlabelled};

/// "entropy", followed by the run if there are two.
QString quantity(Measure measure, const QString& run, bool two_runs) {
  return two_runs ? QStringLiteral("%1 · %2").arg(measureName(measure), run) : measureName(measure);
}

/// "entropy (nats)", followed by the run if there are two. A short axis drops the run; the choosers
/// above show it too.
QString axisTitle(Measure measure, const QString& run, bool two_runs) {
  const QString unit = measureUnit(measure);
  const QString title = unit.isEmpty() ? measureName(measure)
                                       : QStringLiteral("%1 (%2)").arg(measureName(measure), unit);
  return two_runs ? QStringLiteral("%1 · %2").arg(title, run) : title;
}

std::int64_t drawnOf(const ScatterData& data, ItemGroup group) {
  return std::ranges::count_if(data.drawn, [&](std::int32_t point) {
    return data.points.groups[static_cast<std::size_t>(point)] == static_cast<std::uint8_t>(group);
  });
}

}  // namespace

ScatterPlotValue scatterPlotValue(const ScatterDataPtr& data, const QString& x_name,
                                  const QString& y_name) {
  const ScatterRequest& request = data->request;
  const bool two_runs = request.x_run != request.y_run;
  ScatterPlotValue value;
  value.points = std::shared_ptr<const ScatterPoints>(data, &data->points);
  for (const ItemGroup group : kGroups) {
    value.groups.push_back({groupName(group), groupColor(group)});
  }
  value.drawn = data->drawn;
  value.is_density = data->is_density;
  value.has_diagonal = request.x == request.y;
  value.x_name = quantity(request.x, x_name, two_runs);
  value.y_name = quantity(request.y, y_name, two_runs);
  value.x_label = axisTitle(request.x, x_name, two_runs);
  value.y_label = axisTitle(request.y, y_name, two_runs);
  value.name_of = [data](std::int32_t point) {
    return itemName(*data->run, data->items[static_cast<std::size_t>(point)]);
  };
  return value;
}

QString scatterCaption(const ScatterData& data, const QString& x_name) {
  const QString count = countedText(data.points.size(), tr("%1 item"), tr("%1 items"));
  QStringList parts;
  parts << (data.is_density ? tr("density of %1").arg(count) : count);
  if (data.is_density) {
    QStringList on_top;
    for (const ItemGroup group : {ItemGroup::kMisclassified, ItemGroup::kOod}) {
      const std::int64_t all = data.counts[static_cast<std::size_t>(group)];
      const std::int64_t drawn = drawnOf(data, group);
      if (drawn > 0) {
        on_top << (drawn < all ? tr("%1 of %2 %3").arg(countText(drawn), countText(all))
                               : tr("all %1 %2").arg(countText(all)))
                      .arg(groupName(group));
      }
    }
    if (!on_top.isEmpty()) {
      parts << tr("%1 on top").arg(on_top.join(tr(" and ")));
    }
  }
  parts << tr("colours: correct or misclassified by %1").arg(x_name);
  if (data.without_value > 0) {
    parts << tr("%1 omitted (no value)").arg(countText(data.without_value));
  }
  return parts.join(QStringLiteral(" · "));
}

QString rectangleText(const ScatterPlotValue& value, const ScatterRectangle& rectangle) {
  const auto side = [](const QString& name, Interval range) {
    return QStringLiteral("%1 %2–%3").arg(name, shortText(range.low), shortText(range.high));
  };
  return side(value.x_name, rectangle.x) + QStringLiteral(", ") + side(value.y_name, rectangle.y);
}

}  // namespace dubito
