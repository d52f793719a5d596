// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

using nlohmann::json;

void put(json& object, const char* key, double value) {
  if (std::isfinite(value)) {
    object[key] = value;
  }
}

json rankToJson(const RankMetrics& metrics) {
  json object = json::object();
  for (const Metric metric : allMetrics()) {
    if (const MetricInfo& info = describe(metric); info.of_ranking != nullptr) {
      put(object, info.key, info.of_ranking(metrics));
    }
  }
  return object;
}

json gaugeToJson(const GaugeStatistics& statistics) {
  json object = {{"n", statistics.n}};
  if (statistics.n > 0) {
    put(object, "mean", statistics.mean);
    put(object, "max", statistics.max);
  }
  return object;
}

json ranksToJson(const std::map<std::string, RankMetrics>& by_score) {
  json object = json::object();
  for (const auto& [score, metrics] : by_score) {
    object[score] = rankToJson(metrics);
  }
  return object;
}

}  // namespace

json toJson(const Evaluation& evaluation) {
  json object = json::object();
  object["n"] = evaluation.n;
  object["unlabelled"] = evaluation.unlabelled;
  if (evaluation.classes > 0) {
    object["classes"] = evaluation.classes;
  }
  if (evaluation.reviewed_labels) {
    object["reviewed_labels"] = toJson(*evaluation.reviewed_labels);
    object["labels"] = describe(*evaluation.reviewed_labels);
  }
  for (const Metric metric : allMetrics()) {
    if (isOfSet(metric)) {
      put(object, describe(metric).key, valueOf(evaluation, metric));
    }
  }
  if (evaluation.nll) {
    object["nll_clamped"] = evaluation.nll_clamped;
  }
  if (evaluation.masked_labels > 0) {
    object["masked_labels"] = evaluation.masked_labels;
  }
  object["ece_bins"] = evaluation.ece_bins;
  json& misclassified = object["misclassified"] = json::object();
  for (const auto& [score, metrics] : evaluation.misclassified) {
    json& entry = misclassified[score] = rankToJson(metrics.rank);
    for (const Metric metric : allMetrics()) {
      if (const MetricInfo& info = describe(metric); info.of_selection != nullptr) {
        put(entry, info.key, info.of_selection(metrics));
      }
    }
  }
  json& ood = object["ood"] = json::object();
  for (const OodEvaluation& set : evaluation.ood) {
    json& entry = ood[set.name] = json::object();
    entry["n"] = set.n;
    put(entry, "mmc", set.mmc);
    entry["correct_vs_ood"] = ranksToJson(set.correct_vs_ood);
    entry["in_vs_ood"] = ranksToJson(set.in_vs_ood);
    entry["aupr_ood_positive"] = set.aupr_ood_positive;
  }
  json& with_ood = object["with_ood"] = json::object();
  for (const auto& [name, error] : evaluation.with_ood) {
    json& entry = with_ood[name] = json::object();
    put(entry, "ece", error.ece);
    put(entry, "mce", error.mce);
  }
  if (evaluation.gauge) {
    json& gauge = object["gauge"] = {{"bridge", gaugeToJson(evaluation.gauge->bridge)},
                                     {"probit", gaugeToJson(evaluation.gauge->probit)}};
    if (evaluation.gauge->divergence) {
      gauge["divergence"] = gaugeToJson(*evaluation.gauge->divergence);
    }
  }
  return object;
}

}  // namespace dubito
