// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification_values.h"

#include <algorithm>
#include <utility>

#include "app/explore/overview_values.h"
#include "app/labs/lab_method_values.h"
#include "core/metrics/reliability_diagram.h"

namespace dubito {
namespace {

using ClassEntry = ClassificationRunner::Entry;

/// Whether the picture of the entry may be shown.
bool hasPicture(const ClassificationRunner& runner, const ClassEntry& entry) {
  return hasValidPicture(runner, entry) &&
         entry.picture->prediction.probs.extent(1) == runner.data().classes();
}

Interval squareOf(Interval shown, double zoom) {
  const double middle = 0.5 * (shown.low + shown.high);
  const double half = 0.5 * zoom * (shown.high - shown.low);
  return {middle - half, middle + half};
}

QString withUnit(const QString& text, const char* unit) {
  return *unit == '\0' ? text : QStringLiteral("%1 %2").arg(text, labText(unit));
}

QString quantityOf(const ClassMapInfo& map) {
  return *map.unit == '\0' ? labText(map.name)
                           : QStringLiteral("%1 (%2)").arg(labText(map.name), labText(map.unit));
}

CompareTableValue::Cell percentCell(double share) {
  return {shortText(100.0 * share, 3) + QStringLiteral(" %"), share, exactText(share), 0};
}

}  // namespace

ClassMapValue classMapOf(const ClassificationRunner& runner, std::size_t index,
                         const ClassMapInfo& map, bool with_functions) {
  const ClassData& points = runner.data();
  const ClassEntry& entry = runner.entries()[index];
  ClassMapValue value;
  value.x_label = QString::fromStdString(points.x1_label);
  value.y_label = QString::fromStdString(points.x2_label);
  value.x_range = squareOf(points.shown_x1, runner.options().zoom);
  value.y_range = squareOf(points.shown_x2, runner.options().zoom);
  value.quantity = quantityOf(map);
  value.is_logarithmic = map.is_logarithmic;
  value.point_x = points.train.x1;
  value.point_y = points.train.x2;
  value.point_class.assign(points.train.classes.begin(), points.train.classes.end());
  value.class_names = toTexts(points.class_names);
  if (!hasPicture(runner, entry)) {
    return value;
  }
  value.scale = map.range(points.classes());
  const ClassPicture& picture = *entry.picture;
  const auto values = map.values(picture.prediction);
  if (!values) {
    return value;
  }
  value.values = values->reshaped({picture.side, picture.side});
  value.x_range = picture.x1;
  value.y_range = picture.x2;
  value.border = picture.border;
  if (with_functions) {
    value.function_borders = picture.function_borders;
  }
  return value;
}

QString missingMapText(const ClassificationRunner& runner, std::size_t index,
                       const ClassMapInfo& map) {
  const ClassEntry& entry = runner.entries()[index];
  if (!hasPicture(runner, entry) || map.values(entry.picture->prediction)) {
    return {};
  }
  return QStringLiteral("%1 %2").arg(labText(entry.info->name), labText(map.missing));
}

QString classMapCaption(const ClassificationRunner& runner, std::size_t index,
                        const ClassMapInfo& map) {
  const ClassEntry& entry = runner.entries()[index];
  if (!entry.error.isEmpty()) {
    return labMethodNotes(entry);
  }
  QStringList parts{methodProgress(entry)};
  if (entry.picture) {
    parts << methodNumbers(entry.picture->diagnostics);
  }
  const ScaleTexts ends = scaleTextsOf(map, std::max<std::int64_t>(runner.data().classes(), 2));
  parts << labText("%1 from %2 to %3").arg(labText(map.name).toLower(), ends.low, ends.high)
        << countedText(runner.data().train.size(), labText("%1 point"), labText("%1 points"));
  return captionOf(parts);
}

ScaleTexts scaleTextsOf(const ClassMapInfo& map, std::int64_t classes) {
  const Interval range = map.range(classes);
  const QString low = shortText(range.low, 3);
  const QString high = withUnit(shortText(range.high, 3), map.unit);
  // A logarithmic scale has no natural ends.
  return map.is_logarithmic ? ScaleTexts{QStringLiteral("≤ ") + low, QStringLiteral("≥ ") + high}
                            : ScaleTexts{low, high};
}

CompareTableValue classificationTable(const ClassificationRunner& runner) {
  CompareTableValue table;
  table.row_heading = labText("method");
  table.columns = {
      {labText("Accuracy"), labText("Share of the points whose most likely class is the true one"),
       true},
      {labText("NLL"),
       labText("Mean negative logarithm of the probability of the true class, in nats"), false},
      {labText("Confidence"),
       labText("Mean largest probability at these points; it should equal the accuracy"),
       std::nullopt},
      {labText("ECE"),
       labText("Expected calibration error of the largest probability, in %1 bins of equal width")
           .arg(kLabReliabilityBins),
       false},
      {labText("Far away"),
       labText("Mean largest probability on a circle ten times as far away as the edge of the "
               "square of "
               "the data, where nothing is known"),
       std::nullopt},
      {labText("Time"), labText("Time spent learning, without maps and drawing"), std::nullopt}};
  for (std::size_t i = 0; i < runner.entries().size(); ++i) {
    const ClassEntry& entry = runner.entries()[i];
    CompareTableValue::Row row = methodRow(entry);
    if (hasPicture(runner, entry)) {
      const ClassScores& scores = entry.picture->scores;
      row.cells = {percentCell(scores.accuracy),        numberCell(scores.nll),
                   percentCell(scores.mean_confidence), percentCell(scores.reliability.ece),
                   percentCell(scores.far_confidence),  secondsCell(entry.picture->seconds)};
    }
    row.cells.resize(table.columns.size());
    for (CompareTableValue::Cell& cell : row.cells) {
      cell.items = rankedSetOf(entry, i);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

CurvePlotValue classReliability(const ClassificationRunner& runner) {
  CurvePlotValue value = reliabilityWithoutCurves();
  value.has_legend = false;
  value.exports_legend = true;
  for (const ClassEntry& entry : runner.entries()) {
    if (!hasPicture(runner, entry)) {
      continue;
    }
    const ReliabilityDiagram& diagram = entry.picture->scores.reliability;
    StyledCurve curve = styledCurve(labText(entry.info->name), entry.style,
                                    dashOfStyle(entry.style), reliabilityCurve(diagram));
    curve.curve.summary = diagram.ece;
    value.curves.push_back(std::move(curve));
  }
  return value;
}

QString classificationTableCaption(const ClassificationRunner& runner) {
  for (const ClassEntry& entry : runner.entries()) {
    if (hasPicture(runner, entry)) {
      const QString count = countText(entry.picture->scored_points);
      return entry.picture->scored_on_training_points
                 ? labText("on the %1 training points, since there are no others").arg(count)
                 : labText("on %1 test points that no method has seen").arg(count);
    }
  }
  return {};
}

}  // namespace dubito
