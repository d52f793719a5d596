// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_info.h"

#include <stdexcept>

#include "core/metrics/ranking_metric_texts.h"
#include "core/metrics/set_metric_texts.h"

namespace dubito {

std::array<Metric, kMetricCount> allMetrics() {
  std::array<Metric, kMetricCount> metrics{};
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    metrics[i] = static_cast<Metric>(i);
  }
  return metrics;
}

const MetricInfo& describe(Metric metric) {
  switch (metric) {
    case Metric::kAccuracy:
      return metric_texts::kAccuracy;
    case Metric::kNll:
      return metric_texts::kNll;
    case Metric::kBrier:
      return metric_texts::kBrier;
    case Metric::kMmc:
      return metric_texts::kMmc;
    case Metric::kEce:
      return metric_texts::kEce;
    case Metric::kMce:
      return metric_texts::kMce;
    case Metric::kRmsce:
      return metric_texts::kRmsce;
    case Metric::kAdaptiveEce:
      return metric_texts::kAdaptiveEce;
    case Metric::kClasswiseEce:
      return metric_texts::kClasswiseEce;
    case Metric::kAuroc:
      return metric_texts::kAuroc;
    case Metric::kTruePositiveRate:
      return metric_texts::kTruePositiveRate;
    case Metric::kFalsePositiveRate:
      return metric_texts::kFalsePositiveRate;
    case Metric::kFpr95:
      return metric_texts::kFpr95;
    case Metric::kAveragePrecision:
      return metric_texts::kAveragePrecision;
    case Metric::kPrecision:
      return metric_texts::kPrecision;
    case Metric::kShareRetained:
      return metric_texts::kShareRetained;
    case Metric::kAccuracyRetained:
      return metric_texts::kAccuracyRetained;
    case Metric::kAurc:
      return metric_texts::kAurc;
    case Metric::kEaurc:
      return metric_texts::kEaurc;
    case Metric::kAugrc:
      return metric_texts::kAugrc;
    case Metric::kDirichletPrecision:
      return metric_texts::kDirichletPrecision;
    case Metric::kTopKSet:
      return metric_texts::kTopKSet;
    case Metric::kEvidence:
      return metric_texts::kEvidence;
  }
  throw std::invalid_argument("describe: no such metric");
}

std::string directionOf(Metric metric) {
  const std::optional<bool> high_is_good = describe(metric).high_is_good;
  return !high_is_good   ? "neither way is better"
         : *high_is_good ? "higher is better"
                         : "lower is better";
}

std::string explain(Metric metric, const std::string& convention) {
  const MetricInfo& info = describe(metric);
  std::string text = info.summary;
  if (!convention.empty()) {
    text += " (" + convention + ")";
  }
  return info.high_is_good ? text + "; " + directionOf(metric) : text;
}

}  // namespace dubito
