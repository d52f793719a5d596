// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/rotation/lab_rotation_values.h"

#include <algorithm>

#include "app/labs/lab_values.h"
#include "app/shift/shift_values.h"

namespace dubito {
namespace {

bool isInDegrees(const RotationOptions& options) {
  return !options.isWalk() && options.kind() == CorruptionKind::kRotation;
}

/// "75°", "severity 3" or "40 % of the way".
QString placeText(const RotationOptions& options, double position) {
  return options.isWalk()       ? labText("%1 % of the way").arg(100.0 * position, 0, 'g', 3)
         : isInDegrees(options) ? QStringLiteral("%1°").arg(position, 0, 'g', 4)
                                : labText("severity %1").arg(position, 0, 'g', 4);
}

CurvePlotValue emptyPathPlot(const RotationOptions& options) {
  CurvePlotValue value = linePlot(
      options.isWalk()       ? labText("way to the other image")
      : isInDegrees(options) ? labText("rotation (degrees)")
                             : labText("severity of %1").arg(corruptionName(options.kind())));
  value.x_is_share = options.isWalk();
  return value;
}

QString nameOfClass(const RotationResult& result, std::int64_t k) {
  return QString::fromStdString(result.class_names[static_cast<std::size_t>(k)]);
}

/// Adds the dots of all draws of class `k` and the line of their means.
void addClass(CurvePlotValue& plot, const RotationResult& result, const Array<float>& values,
              std::int64_t k, int number) {
  StyledCurve mean =
      styledCurve(nameOfClass(result, k), number, dashOf(static_cast<std::size_t>(number)));
  StyledCurve dots = mean;
  dots.is_dots = true;
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
  plot.summary_name = result.draws() > 1 ? labText("class, mean of the draws") : labText("class");
  for (std::size_t i = 0; i < result.classes.size(); ++i) {
    addClass(plot, result, values, result.classes[i], static_cast<int>(i));
  }
  return plot;
}

StyledCurve measureCurve(const RotationResult& result, Measure measure, const Array<double>& values,
                         int number) {
  StyledCurve curve =
      styledCurve(QString::fromUtf8(describe(measure).name), number, number,
                  {{}, result.path.positions, {values.data(), values.data() + values.size()}});
  curve.short_name = QString::fromUtf8(describe(measure).short_name);
  return curve;
}

}  // namespace

CurvePlotValue softmaxInputs(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = classCurves(result, options, result.inputs);
  plot.y_label = result.has_logits ? labText("softmax input z (logit)")
                                   : labText("logarithm of the probability");
  return plot;
}

CurvePlotValue softmaxOutputs(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = classCurves(result, options, result.outputs);
  plot.y_label = labText("softmax output, probability");
  plot.y_short = labText("probability");
  plot.y_is_share = true;
  return plot;
}

CurvePlotValue uncertaintyOnPath(const RotationResult& result, const RotationOptions& options) {
  CurvePlotValue plot = emptyPathPlot(options);
  plot.y_label = labText("uncertainty (nats)");
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
    item.tooltip = labText("%1\nentropy %2 nats")
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
    return labText("%1 (%2)").arg(nameOfClass(result, result.summary.predictions.data()[step]),
                                  shareText(result.summary.confidence.data()[step]));
  };
  const std::int64_t last = result.steps() - 1;
  QString text = labText("At %1 the model says %2, at %3 %4; it is least certain at %5: %6 nats")
                     .arg(placeText(options, result.path.positions.front()), says(0),
                          placeText(options, result.path.positions.back()), says(last),
                          placeText(options, result.path.positions[static_cast<std::size_t>(peak)]),
                          shortText(entropy.data()[peak]));
  if (result.hasDraws()) {
    text += labText(", of which %1 are epistemic")
                .arg(shortText(result.summary.mutual_information.data()[peak]));
  }
  return text + u'.';
}

QString rotationCaption(const RotationResult& result) {
  QString item = QString::fromStdString(result.item_name);
  if (result.label >= 0 && result.label < static_cast<std::int64_t>(result.class_names.size())) {
    item += labText(", true class %1").arg(nameOfClass(result, result.label));
  }
  return captionOf({result.hasDraws() ? labText("MC dropout · T %1").arg(countText(result.draws()))
                                      : labText("one pass without dropout"),
                    item});
}

}  // namespace dubito
