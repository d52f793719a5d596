// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shift/shift_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "app/words/words.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr double kDegreesPerStep = 15.0;

double place(const ShiftResult& result, double severity) {
  return result.kind == CorruptionKind::kRotation ? severity * kDegreesPerStep : severity;
}

double orNan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

constexpr std::array kQuantities{
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "accuracy"), true,
                  [](const ShiftStep& step) { return orNan(step.evaluation.accuracy); }},
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "mean confidence"), true,
                  [](const ShiftStep& step) { return step.evaluation.mmc; }},
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "ECE"), true,
                  [](const ShiftStep& step) { return orNan(step.evaluation.ece); }},
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "entropy H"), false,
                  [](const ShiftStep& step) { return step.mean_entropy; }},
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "aleatoric E[H]"), false,
                  [](const ShiftStep& step) { return step.mean_expected_entropy; }},
    ShiftQuantity{QT_TRANSLATE_NOOP("dubito", "epistemic MI"), false,
                  [](const ShiftStep& step) { return step.mean_mutual_information; }}};
constexpr auto kFirstInNats = std::ranges::find(kQuantities, false, &ShiftQuantity::is_share);

/// Adds a curve unless the steps lack the quantity; the legend shows its last value.
void addCurve(const ShiftResult& result, const QString& name, const ShiftQuantity& quantity,
              CurvePlotValue& plot) {
  StyledCurve styled;
  styled.curve.name = name.toStdString();
  styled.curve.summary = std::numeric_limits<double>::quiet_NaN();
  for (const ShiftStep& step : result.steps) {
    const double y = quantity.value(step);
    if (!std::isnan(y)) {
      styled.curve.x.push_back(place(result, step.severity));
      styled.curve.y.push_back(y);
      styled.curve.summary = y;
    }
  }
  if (!styled.curve.x.empty()) {
    styled.run = static_cast<int>(plot.curves.size());
    styled.dash = static_cast<int>(plot.curves.size());
    plot.curves.push_back(std::move(styled));
  }
}

CurvePlotValue emptyPlot(const ShiftResult& result) {
  CurvePlotValue plot;
  plot.kind = CurvePlotValue::Kind::kGeneric;
  plot.x_is_share = false;
  plot.summary_name = tr("at last step");
  plot.x_label =
      result.kind == CorruptionKind::kRotation ? tr("rotation (degrees)") : tr("severity");
  return plot;
}

}  // namespace

QString corruptionName(CorruptionKind kind) {
  switch (kind) {
    case CorruptionKind::kNoise:
      return tr("noise");
    case CorruptionKind::kBlur:
      return tr("blur");
    case CorruptionKind::kBrightness:
      return tr("brightness");
    case CorruptionKind::kContrast:
      return tr("contrast");
    case CorruptionKind::kRotation:
      return tr("rotation");
    case CorruptionKind::kOcclusion:
      return tr("occlusion");
    case CorruptionKind::kInversion:
      return tr("inversion");
  }
  return {};
}

QString corruptionDescription(CorruptionKind kind) {
  switch (kind) {
    case CorruptionKind::kNoise:
      return tr("Gaussian noise; each step adds 6 % of the value range to its standard deviation");
    case CorruptionKind::kBlur:
      return tr("Gaussian blur; each step adds 1/60 of the shorter side to its standard deviation");
    case CorruptionKind::kBrightness:
      return tr("each step adds 10 % of the value range");
    case CorruptionKind::kContrast:
      return tr("each step removes 18 % of the contrast");
    case CorruptionKind::kRotation:
      return tr("each step rotates the image by 15 degrees");
    case CorruptionKind::kOcclusion:
      return tr("a grey square covers part of the image; each step adds 8 % of the area");
    case CorruptionKind::kInversion:
      return tr("each step moves values 20 % of the way to the negative image");
  }
  return {};
}

std::span<const ShiftQuantity> shiftQuantities() {
  return kQuantities;
}

std::span<const ShiftQuantity> shiftShares() {
  return {kQuantities.begin(), kFirstInNats};
}

std::span<const ShiftQuantity> shiftEntropies() {
  return {kFirstInNats, kQuantities.end()};
}

QString shiftQuantityName(const ShiftQuantity& quantity) {
  return tr(quantity.name);
}

namespace {

CurvePlotValue ofOneRun(const ShiftResult& result, const QString& y_label, bool is_share,
                        std::span<const ShiftQuantity> quantities) {
  CurvePlotValue plot = emptyPlot(result);
  plot.y_is_share = is_share;
  plot.summary_is_share = is_share;
  plot.y_label = y_label;
  for (const ShiftQuantity& quantity : quantities) {
    addCurve(result, shiftQuantityName(quantity), quantity, plot);
  }
  return plot;
}

}  // namespace

CurvePlotValue shiftCalibrationCurves(const ShiftResult& result) {
  return ofOneRun(result, tr("accuracy, confidence, ECE"), true, shiftShares());
}

CurvePlotValue shiftUncertaintyCurves(const ShiftResult& result) {
  return ofOneRun(result, tr("mean, nats"), false, shiftEntropies());
}

CurvePlotValue compareShift(const std::vector<ShiftResultPtr>& results,
                            const std::vector<QString>& names, const ShiftQuantity& quantity) {
  if (results.empty()) {
    return {};
  }
  CurvePlotValue plot = emptyPlot(*results.front());
  plot.y_is_share = quantity.is_share;
  plot.summary_is_share = quantity.is_share;
  plot.y_label = quantity.is_share ? shiftQuantityName(quantity)
                                   : tr("mean %1, nats").arg(shiftQuantityName(quantity));
  for (std::size_t i = 0; i < results.size(); ++i) {
    addCurve(*results[i], names[i], quantity, plot);
  }
  return plot;
}

QString shiftCaption(const ShiftResult& result) {
  return withLabels(
      *result.analysis,
      QStringLiteral("%1 · %2 · %3 · N %4")
          .arg(corruptionName(result.kind), QString::fromStdString(result.analysis->name),
               QString::fromStdString(result.analysis->in().name), countText(result.items)));
}

std::vector<GalleryItem> shiftItems(const ShiftResult& result, std::int64_t id, std::size_t count) {
  std::vector<GalleryItem> items;
  for (std::size_t i = 0; i < std::min(count, result.steps.size()); ++i) {
    const ShiftStep& step = result.steps[i];
    GalleryItem shown;
    shown.key = static_cast<std::int64_t>(i);
    shown.tooltip = QStringLiteral("%1 %2").arg(corruptionName(result.kind),
                                                shortText(place(result, step.severity)));
    const auto ids = step.run->ids.values();
    const auto found = std::ranges::find(ids, id);
    if (found != ids.end()) {
      const std::int64_t row = found - ids.begin();
      const std::int64_t label = step.run->labels.data()[row];
      const std::int64_t predicted = step.run->predictions.data()[row];
      shown.label_predicted = className(*result.analysis, predicted);
      shown.label_true = className(*result.analysis, label);
      shown.wrong = label >= 0 && label != predicted;
      shown.measure = QString::number(step.run->confidence.data()[row], 'f', 2);
      if (step.run->entropy) {
        shown.tooltip +=
            QStringLiteral("\n%1 %2 %3")
                .arg(measureName(Measure::kEntropy), shortText(step.run->entropy->data()[row]),
                     measureUnit(Measure::kEntropy));
      }
    }
    items.push_back(std::move(shown));
  }
  return items;
}

}  // namespace dubito
