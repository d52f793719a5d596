// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_info.h"

#include <fmt/format.h>

#include <string_view>

#include "core/base/nan.h"
#include "core/base/registry.h"
#include "core/metrics/built_in_metrics.h"
#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

Registry<Metric, MetricInfo>& metricRegistry() {
  static Registry<Metric, MetricInfo> metrics(builtInMetrics());
  return metrics;
}

}  // namespace

const std::vector<Metric>& allMetrics() {
  return metricRegistry().ids();
}

const MetricInfo& describe(Metric metric) {
  return metricRegistry().info(metric);
}

Metric addMetric(const MetricInfo& info) {
  return metricRegistry().add(info);
}

bool isOfSet(Metric metric) {
  const MetricInfo& info = describe(metric);
  return info.of_set != nullptr || info.compute != nullptr;
}

double valueOf(const Evaluation& evaluation, Metric metric) {
  const MetricInfo& info = describe(metric);
  if (info.of_set != nullptr) {
    return info.of_set(evaluation);
  }
  const auto found = evaluation.computed.find(metric);
  return found == evaluation.computed.end() ? kNaN : found->second;
}

std::string conventionOf(Metric metric, std::int64_t bins) {
  constexpr std::string_view kBins = "{bins}";
  std::string convention = describe(metric).convention;
  if (const std::size_t place = convention.find(kBins); place != std::string::npos) {
    convention.replace(place, kBins.size(), std::to_string(bins));
  }
  return convention;
}

std::string rowName(Metric metric, std::int64_t bins) {
  const char* const symbol = describe(metric).symbol;
  const std::string convention = conventionOf(metric, bins);
  return convention.empty() ? symbol : fmt::format("{} ({})", symbol, convention);
}

std::string directionOf(Metric metric) {
  const std::optional<bool> high_is_good = describe(metric).high_is_good;
  return !high_is_good   ? "neither direction is better"
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
