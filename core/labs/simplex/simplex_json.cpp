// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/simplex_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dubito {
namespace {

using Json = nlohmann::json;

Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json numberOrNull(const std::optional<double>& value) {
  return value ? numberOrNull(*value) : Json();
}

Json numbersOrNull(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(numberOrNull(value));
  }
  return list;
}

Json jsonOf(const LogitGaussian& gaussian) {
  return {{"mean", gaussian.mean}, {"covariance", gaussian.covariance}};
}

Json jsonOf(const SimplexApproximation& approximation) {
  Json json{{"key", approximation.form.key},
            {"mean", approximation.form.mean},
            {"mean_error", approximation.mean_error}};
  if (!approximation.form.log_alpha) {
    return json;
  }
  json["alpha"] = approximation.alpha;
  json["log_alpha"] = *approximation.form.log_alpha;
  json["variance"] = approximation.variance;
  json["differential_entropy"] = numberOrNull(approximation.entropy);
  if (approximation.comparison) {
    json["divergence"] = numberOrNull(approximation.comparison->divergence);
    json["total_variation"] = numberOrNull(approximation.comparison->total_variation);
    json["total_variation_error"] = numberOrNull(approximation.comparison->total_variation_error);
  }
  json["reverse_divergence"] = numberOrNull(approximation.reverse_divergence);
  json["sampled_divergence"] = numberOrNull(approximation.sampled_divergence);
  json["sampled_divergence_error"] = numberOrNull(approximation.sampled_divergence_error);
  for (const ClassInProposition1& row : approximation.proposition1) {
    json["proposition1"].push_back({{"alpha", row.alpha},
                                    {"bound", row.bound},
                                    {"is_in_region", row.is_in_region},
                                    {"variance_slope", numberOrNull(row.slope)}});
  }
  return json;
}

Json jsonOf(const TransformEffect& effect) {
  return {{"bridge", bridgeVariantName(effect.variant)},
          {"name", effect.name},
          {"gaussian", jsonOf(effect.gaussian)},
          {"mean", effect.mean},
          {"variance", effect.variance},
          {"largest_mean_change", effect.largest_mean_change},
          {"largest_variance_change", effect.largest_variance_change},
          {"total_variation", numberOrNull(effect.total_variation)}};
}

Json jsonOf(const ApproximationWorth& worth, const std::vector<std::int64_t>& counts) {
  Json json{{"key", worth.key}, {"divergence", numberOrNull(worth.divergence)}};
  if (worth.crossing.kind == SampleCrossing::Kind::kFound) {
    json["samples"] = worth.crossing.samples;
    json["samples_low"] = worth.crossing.range.low;
    json["samples_high"] = worth.crossing.range.high;
  }
  json["text"] = worthText(worth, counts);
  return json;
}

}  // namespace

nlohmann::json simplexToJson(const SimplexResult& result) {
  Json json{{"gaussian", jsonOf(result.input.gaussian)},
            {"smallest_eigenvalue", result.input.smallest_eigenvalue},
            {"jitter", result.input.jitter},
            {"ellipse",
             {{"mean", result.plane.mean},
              {"deviation", result.plane.deviation},
              {"angle", result.plane.angle}}},
            {"is_singular", result.is_singular},
            {"mean", result.moments.mean},
            {"variance", result.moments.variance},
            {"variance_slope", result.moments.variance_slope},
            {"samples", result.samples.extent(0)},
            {"warnings", result.warnings}};
  for (const SimplexApproximation& approximation : result.approximations) {
    json["approximations"].push_back(jsonOf(approximation));
  }
  for (const TransformEffect& effect : result.transforms) {
    json["transforms"].push_back(jsonOf(effect));
  }
  return json;
}

nlohmann::json sampleWorthToJson(const SampleWorthResult& result, const SampleWorthTimes& times) {
  Json json{{"compared", result.description},
            {"samples", result.counts},
            {"replicates", result.replicates},
            {"divergence", numbersOrNull(result.mean)},
            {"standard_error", numbersOrNull(result.standard_error)},
            {"truth_samples", result.truth_samples},
            {"truth_error", numberOrNull(result.truth_error)},
            {"warnings", result.warnings},
            {"approximations", Json::array()},
            {"times",
             {{"seconds_per_sample", numberOrNull(times.seconds_per_sample)},
              {"seconds_of_approximations", numbersOrNull(times.seconds_of_approximations)}}}};
  for (const ApproximationWorth& worth : result.approximations) {
    json["approximations"].push_back(jsonOf(worth, result.counts));
  }
  return json;
}

}  // namespace dubito
