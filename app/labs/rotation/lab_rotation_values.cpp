// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/rotation/lab_rotation_values.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "app/shift/shift_values.h"
#include "app/words/words.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

QString rotationTr(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

bool isInDegrees(const RotationOptions& options) {
  return !options.isWalk() && options.kind() == CorruptionKind::kRotation;
}

/// "75°", "severity 3" or "40 % of the way".
QString placeText(const RotationOptions& options, double position) {
  return options.isWalk()       ? rotationTr("%1 % of the way").arg(100.0 * position, 0, 'g', 3)
         : isInDegrees(options) ? QStringLiteral("%1°").arg(position, 0, 'g', 4)
                                : rotationTr("severity %1").arg(position, 0, 'g', 4);
}

CurvePlotValue emptyPathPlot(const RotationOptions& options) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = options.isWalk();
  value.y_is_share = false;
  value.x_label = options.isWalk() ? rotationTr("way to the other image")
                  : isInDegrees(options)
                      ? rotationTr("rotation (degrees)")
                      : rotationTr("severity of %1").arg(corruptionName(options.kind()));
  return value;
}

QString nameOfClass(const RotationResult& result, std::int64_t k) {
  return QString::fromStdString(result.class_names[static_cast<std::size_t>(k)]);
}

/// Adds the dots of all draws of class `k` and the line of their means.
void addClass(CurvePlotValue& plot, const RotationResult& result, const Array<float>& values,
              std::int64_t k, int number) {
  StyledCurve dots;
  StyledCurve mean;
  dots.is_dots = true;
  for (StyledCurve* const curve : {&dots, &mean}) {
    curve->curve.name = result.class_names[static_cast<std::size_t>(k)];
    curve->curve.summary = std::nan("");
    curve->run = number;
    curve->dash = (number + number / 4) % 4;
  }
  for (std::int64_t step = 0; step < result.steps(); ++step) {
    const double x = result.path.positions[static_cast<std::size_t>(step)];
    double sum = 0.0;
    for (std::int64_t t = 0; t < result.draws(); ++t) {
      const auto y =
          static_cast<double>(values.data()[(t * result.steps() + step) * values.extent(2) + k]);
      sum += y;
      dots.curve.x.push_back(x);
      dots.curve.y.push_back(y);
    }
    mean.curve.x.push_back(x);
    mean.curve.y.push_back(sum / static_cast<double>(result.draws()));
  }
  if (result.draws() > 1) {
    plot.curves.push_back(std::move(dots));
  }
  plot.curves.push_back(std::move(mean));
}

CurvePlotValue classCurves(const RotationResult& result, const RotationOptions& options,
                           const Array<float>& values) {
  CurvePlotValue plot = emptyPathPlot(options);
  plot.summary_name =
      result.draws() > 1 ? rotationTr("class, mean of the draws") : rotationTr("class");
  for (std::size_t i = 0; i < result.classes.size(); ++i) {
    addClass(plot, result, values, result.classes[i], static_cast<int>(i));
  }
  return plot;
}

StyledCurve measureCurve(const RotationResult& result, Measure measure, const Array<double>& values,
                         int number) {
  StyledCurve curve;
  curve.curve.name = describe(measure).name;
  curve.short_name = QString::fromUtf8(describe(measure).short_name);
  curve.curve.summary = std::nan("");
  curve.curve.x = result.path.positions;
  curve.curve.y.assign(values.data(), values.data() + values.size());
  curve.run = number;
  curve.dash = number;
  return curve;
}

}  // namespace

CurvePlotValue softmaxInputs(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = classCurves(result, options, result.inputs);
  plot.y_label = result.has_logits ? rotationTr("softmax input z (logit)")
                                   : rotationTr("logarithm of the probability");
  return plot;
}

CurvePlotValue softmaxOutputs(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = classCurves(result, options, result.outputs);
  plot.y_label = rotationTr("softmax output, probability");
  plot.y_short = rotationTr("probability");
  plot.y_is_share = true;
  return plot;
}

CurvePlotValue uncertaintyOnPath(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = emptyPathPlot(options);
  plot.y_label = rotationTr("uncertainty (nats)");
  const PredictiveSummary& summary = result.summary;
  plot.curves.push_back(measureCurve(result, Measure::kEntropy, summary.entropy, 0));
  if (result.hasDraws()) {
    plot.curves.push_back(
        measureCurve(result, Measure::kExpectedEntropy, summary.expected_entropy, 1));
    plot.curves.push_back(
        measureCurve(result, Measure::kMutualInformation, summary.mutual_information, 2));
  }
  return plot;
}

std::vector<GalleryItem> rotationSteps(const RotationResult& result,
                                       const RotationOptions& options) {
  std::vector<GalleryItem> items;
  for (std::int64_t step = 0; step < result.steps(); ++step) {
    const std::int64_t predicted = result.summary.predictions.data()[step];
    GalleryItem item;
    item.key = step;
    item.name = placeText(options, result.path.positions[static_cast<std::size_t>(step)]);
    item.tooltip = rotationTr("%1\nentropy %2 nats")
                       .arg(item.name, shortText(result.summary.entropy.data()[step]));
    item.label_predicted = nameOfClass(result, predicted);
    item.measure = QString::number(result.summary.confidence.data()[step], 'f', 2);
    if (result.label >= 0 && result.label < static_cast<std::int64_t>(result.class_names.size()) &&
        !options.isWalk()) {
      // The caption of the plots names the true class; here it would take the room of an image.
      item.wrong = result.label != predicted;
    }
    items.push_back(std::move(item));
  }
  return items;
}

QString rotationSentence(const RotationResult& result, const RotationOptions& options) {
  const auto& entropy = result.summary.entropy;
  const auto peak = static_cast<std::int64_t>(
      std::max_element(entropy.data(), entropy.data() + entropy.size()) - entropy.data());
  const auto says = [&](std::int64_t step) {
    return rotationTr("%1 (%2)").arg(nameOfClass(result, result.summary.predictions.data()[step]),
                                     shareText(result.summary.confidence.data()[step]));
  };
  const std::int64_t last = result.steps() - 1;
  QString text = rotationTr("At %1 the model says %2, at %3 %4; it is least certain at %5: %6 nats")
                     .arg(placeText(options, result.path.positions.front()), says(0),
                          placeText(options, result.path.positions.back()), says(last),
                          placeText(options, result.path.positions[static_cast<std::size_t>(peak)]),
                          shortText(entropy.data()[peak]));
  if (result.hasDraws()) {
    text += rotationTr(", of which %1 are epistemic")
                .arg(shortText(result.summary.mutual_information.data()[peak]));
  }
  return text + u'.';
}

QString rotationCaption(const RotationResult& result) {
  QStringList parts;
  parts << (result.hasDraws() ? rotationTr("MC dropout · T %1").arg(countText(result.draws()))
                              : rotationTr("one pass without dropout"));
  QString item = QString::fromStdString(result.item_name);
  if (result.label >= 0 && result.label < static_cast<std::int64_t>(result.class_names.size())) {
    item += rotationTr(", true class %1").arg(nameOfClass(result, result.label));
  }
  parts << item;
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
