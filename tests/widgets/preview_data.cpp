// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/preview_data.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace dubito::test {
namespace {

constexpr int kBins = 40;

std::vector<double> betaValues(std::size_t count, double a, double b, double scale, unsigned seed) {
  std::mt19937 engine(seed);
  std::gamma_distribution<double> first(a);
  std::gamma_distribution<double> second(b);
  std::vector<double> values(count);
  for (double& value : values) {
    const double x = first(engine);
    value = scale * x / (x + second(engine));
  }
  return values;
}

struct Shape {
  double a, b;
};

HistogramPlotValue groups(const QString& quantity, const QString& label, double high, Shape correct,
                          Shape wrong, Shape ood) {
  const Interval range{0.0, high};
  const auto group = [&](std::size_t count, Shape shape, unsigned seed) {
    return makeHistogram(betaValues(count, shape.a, shape.b, high, seed), range, kBins);
  };
  return {.groups = {{"correct", ColorRole::kCorrect, group(9822, correct, 1)},
                     {"misclassified", ColorRole::kMisclassified, group(178, wrong, 2)},
                     {"OOD", ColorRole::kOod, group(10000, ood, 3)}},
          .quantity = quantity,
          .x_label = label};
}

/// ROC of two beta-like scores by sweeping the threshold.
Curve sweep(const char* name, double sharpness, double summary, bool precision) {
  Curve curve;
  curve.name = name;
  curve.summary = summary;
  constexpr int kPoints = 400;
  for (int i = 0; i <= kPoints; ++i) {
    const double u = static_cast<double>(i) / kPoints;
    if (precision) {
      curve.x.push_back(u);
      curve.y.push_back(1.0 - 0.08 * u - 0.42 * std::pow(u, sharpness));
    } else {
      const double rate = std::pow(u, 3.0);
      curve.x.push_back(rate);
      curve.y.push_back(std::pow(rate, 1.0 / sharpness));
    }
  }
  return curve;
}

Interval wilson(double share, double n) {
  constexpr double kZ = 1.959963984540054;
  const double centre = (share + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half =
      kZ / (1 + kZ * kZ / n) * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return {centre - half, centre + half};
}

}  // namespace

HistogramPlotValue confidenceHistograms() {
  return groups("confidence", "max probability", 1.0, {60.0, 0.5}, {5.0, 2.0}, {2.6, 1.1});
}

HistogramPlotValue entropyHistograms() {
  return groups("entropy", "entropy in nats", 2.302585, {0.15, 6.0}, {1.2, 4.0}, {1.0, 1.6});
}

HistogramPlotValue mutualInformationHistograms() {
  return groups("mutual information", "mutual information in nats", 0.8, {0.12, 8.0}, {1.1, 8.0},
                {0.9, 2.6});
}

ReliabilityDiagram reliabilityDiagram() {
  const std::vector<std::pair<std::int64_t, double>> bins{
      {0, 0},     {0, 0},     {0, 0},      {2, 0.5},    {0, 0},
      {3, 0.333}, {6, 0.667}, {14, 0.786}, {20, .55},   {25, .64},
      {33, .545}, {41, .439}, {58, .534},  {120, .675}, {9678, 0.9945}};
  ReliabilityDiagram diagram;
  diagram.convention = "15 bins, L1, equal width, top-label";
  diagram.ece = 0.0114;
  diagram.mce = 0.31;
  for (std::size_t j = 0; j < bins.size(); ++j) {
    const auto [count, accuracy] = bins[j];
    ReliabilityBin bin;
    bin.low = static_cast<double>(j) / 15.0;
    bin.high = static_cast<double>(j + 1) / 15.0;
    bin.count = count;
    const double nan = std::nan("");
    bin.accuracy = count > 0 ? accuracy : nan;
    bin.confidence = count > 0 ? (bin.low + bin.high) / 2 : nan;
    bin.wilson95 = count > 0 ? wilson(accuracy, static_cast<double>(count)) : Interval{nan, nan};
    diagram.total += count;
    diagram.bins.push_back(bin);
  }
  return diagram;
}

CurvePlotValue rocCurves() {
  return {.kind = CurvePlotValue::Kind::kRoc,
          .curves = {{sweep("entropy", 22.0, 0.9564, false), -1, 0},
                     {sweep("confidence", 20.5, 0.9538, false), -1, 1},
                     {sweep("MI", 19.0, 0.9541, false), -1, 2}},
          .summary_name = "AUROC",
          .baseline = std::nullopt,
          .x_label = "false positive rate",
          .y_label = "true positive rate"};
}

CurvePlotValue precisionRecallCurves() {
  return {.kind = CurvePlotValue::Kind::kPrecisionRecall,
          .curves = {{sweep("entropy", 14.0, 0.9512, true), -1, 0},
                     {sweep("confidence", 13.0, 0.9498, true), -1, 1},
                     {sweep("mutual information", 12.0, 0.9487, true), -1, 2}},
          .summary_name = "AP",
          .baseline = 0.4955,
          .x_label = "recall",
          .y_label = "precision"};
}

CurvePlotValue rejectionCurves() {
  Curve kept;
  kept.name = "MC dropout";
  kept.summary = std::nan("");
  Curve oracle = kept;
  oracle.name = "oracle";
  for (int i = 1; i <= 200; ++i) {
    const double share = i / 200.0;
    kept.x.push_back(share);
    kept.y.push_back(1.0 - 0.0178 * std::pow(share, 6.0));
    oracle.x.push_back(share);
    oracle.y.push_back(std::min(1.0, 0.9822 / share));
  }
  return {.kind = CurvePlotValue::Kind::kGeneric,
          .curves = {{kept, -1, 0}, {oracle, 3, 1}},
          .summary_name = {},
          .baseline = 0.9822,
          .x_label = "kept fraction",
          .y_label = "accuracy"};
}

ItemProbabilities ambiguousDigit(int draws) {
  ItemProbabilities value;
  value.mean_probs = {0.011, 0.003, 0.345, 0.047, 0.0, 0.006, 0.001, 0.254, 0.302, 0.031};
  for (int c = 0; c < 10; ++c) {
    value.class_names.push_back(QString::number(c));
  }
  value.label_true = 3;
  value.label_predicted = 2;
  std::vector<float> samples(static_cast<std::size_t>(draws) * 10);
  std::mt19937 engine(7);
  for (std::size_t t = 0; t < static_cast<std::size_t>(draws); ++t) {
    double sum = 0.0;
    std::vector<double> row(10);
    for (std::size_t c = 0; c < 10; ++c) {
      row[c] = std::gamma_distribution<double>(6.84 * value.mean_probs[c] + 1e-3)(engine);
      sum += row[c];
    }
    for (std::size_t c = 0; c < 10; ++c) {
      samples[t * 10 + c] = static_cast<float>(row[c] / sum);
    }
  }
  value.samples = Array<float>::fromVector({draws, 10}, std::move(samples));
  return value;
}

std::vector<KeyValue> itemMeasures() {
  return {{"confidence", "0.345", {}, "max over classes of the mean probability"},
          {"entropy H", "1.410", "nats", "-sum p log p of the mean"},
          {"aleatoric E[H]", "1.158", "nats", "mean entropy of the draws"},
          {"epistemic MI", "0.253", "nats", "H - E[H]"},
          {"variation ratio", "0.410", {}, "1 - share of the modal class"},
          {"margin", "0.043", {}, "largest minus second largest probability"}};
}

std::vector<MetricTableRow> metricRows() {
  std::vector<MetricTableRow> rows{
      {"MNIST test",
       "accuracy",
       {},
       "98.22 %",
       0.9822,
       "share of correct predictions; higher is better"},
      {"MNIST test", "NLL", {}, "0.0567", 0.05671234, "mean -log p of the label; lower is better"},
      {"MNIST test", "Brier", {}, "0.0271", 0.027136, "lower is better, in [0, 2]"},
      {"MNIST test", "ECE", {}, "1.14 %", 0.01139, "15 bins, L1, equal width, top-label"},
      {"MNIST test", "MMC", {}, "0.971", 0.97112, "mean maximum confidence"}};
  const auto add = [&rows](const char* group, const char* name, std::vector<double> values) {
    const char* scores[] = {"confidence", "entropy", "MI"};
    for (std::size_t s = 0; s < 3; ++s) {
      rows.push_back({group, name, scores[s], QString::number(values[s], 'f', 3), values[s],
                      "positive: correct"});
    }
  };
  add("correct vs misclassified", "AUROC", {0.9731, 0.9742, 0.9668});
  add("correct vs misclassified", "AP", {0.9994, 0.9995, 0.9992});
  add("correct vs misclassified", "FPR95", {0.1236, 0.1180, 0.1517});
  add("correct vs Fashion-MNIST", "AUROC", {0.9538, 0.9564, 0.9541});
  add("correct vs Fashion-MNIST", "AP", {0.9498, 0.9512, 0.9487});
  add("correct vs Fashion-MNIST", "FPR95", {0.2231, 0.2074, 0.2409});
  return rows;
}

std::vector<GalleryItem> galleryItems(int count) {
  std::vector<GalleryItem> items;
  for (int i = 0; i < count; ++i) {
    GalleryItem item;
    item.key = 1000 + i;
    const int predicted = (i * 7 + 2) % 10;
    const int label = i % 4 == 3 ? predicted : (predicted + 1 + i % 3) % 10;
    item.label_predicted = QString::number(predicted);
    item.label_true = QString::number(label);
    item.wrong = predicted != label;
    item.measure = QString::number(0.81 / (1.0 + 0.07 * i), 'f', 2);
    item.tooltip = QStringLiteral("item %1").arg(item.key);
    items.push_back(item);
  }
  return items;
}

QImage digitImage(int digit, bool dark) {
  QImage image(28, 28, QImage::Format_Grayscale8);
  image.fill(dark ? Qt::black : Qt::white);
  QPainter painter(&image);
  painter.translate(14, 14);
  painter.rotate((digit * 37) % 30 - 15);
  QFont font;
  font.setPixelSize(23);
  font.setBold(digit % 2 == 0);
  painter.setFont(font);
  painter.setPen(dark ? Qt::white : Qt::black);
  painter.drawText(QRect(-14, -14, 28, 28), Qt::AlignCenter, QString::number(digit % 10));
  return image;
}

std::vector<Field> EveryOption::fields() {
  return {
      {{.name = "draws",
        .label = "Draws",
        .help = "Number of stochastic passes over each item",
        .min = 1,
        .max = 1e6},
       &draws},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "Share of units that a mask drops",
        .min = 0.0,
        .max = 0.99},
       &drop_rate},
      {{.name = "prior_precision",
        .label = "Prior precision",
        .help = "Inverse variance of the weights' prior",
        .unit = "1/σ²",
        .min = 1e-9,
        .max = 1e9},
       &prior_precision},
      {{.name = "map",
        .label = "Link",
        .help = "How logits become probabilities",
        .choices = {"mc", "probit", "bridge-centred"}},
       &map},
      {{.name = "sites", .label = "Dropout sites", .help = "Sites that sample", .min = 0, .max = 9},
       &sites},
      {{.name = "keep_samples", .label = "Stored draws", .help = "Store every draw"},
       &keep_samples},
      {{.name = "note", .label = "Note", .help = "Any text"}, &note}};
}

}  // namespace dubito::test
