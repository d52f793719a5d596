// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string_view>

#include "core/base/nan.h"
#include "core/metrics/built_in_metrics.h"
#include "core/metrics/evaluation.h"

namespace dubito {

namespace {

/// In the order of Metric. References to the infos stay valid.
struct MetricRegistry {
  std::deque<MetricInfo> infos;
  std::vector<Metric> metrics;

  MetricRegistry() {
    for (const MetricInfo& info : builtInMetrics()) {
      add(info);
    }
  }
  Metric add(const MetricInfo& info) {
    const auto metric = static_cast<Metric>(infos.size());
    infos.push_back(info);
    metrics.push_back(metric);
    return metric;
  }
};

MetricRegistry& metricRegistry() {
  static MetricRegistry metrics;
  return metrics;
}

}  // namespace

const std::vector<Metric>& allMetrics() {
  return metricRegistry().metrics;
}

const MetricInfo& describe(Metric metric) {
  return metricRegistry().infos.at(static_cast<std::size_t>(metric));
}

Metric addMetric(const MetricInfo& info) {
  const auto texts = {info.key,     info.name,  info.symbol, info.summary,   info.meaning,
                      info.formula, info.range, info.source, info.convention};
  if (std::ranges::count(texts, nullptr) > 0) {
    throw std::invalid_argument("addMetric: every text is needed");
  }
  if (std::ranges::any_of(allMetrics(), [&info](Metric metric) {
        return std::string_view(describe(metric).key) == info.key;
      })) {
    throw std::invalid_argument(fmt::format("addMetric: there is a metric {}", info.key));
  }
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
