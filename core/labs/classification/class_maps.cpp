// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_maps.h"

#include <cmath>

#include "core/base/find_by_key.h"
#include "core/measures/dirichlet.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

Interval entropyRange(std::int64_t classes) {
  return {0.0, std::log(static_cast<double>(classes))};
}

std::optional<Array<double>> largestProbability(const ClassPrediction& prediction) {
  const std::int64_t count = prediction.probs.extent(0);
  auto values = Array<double>::zeros({count});
  for (std::int64_t i = 0; i < count; ++i) {
    values.mutableData()[i] = confidenceOf(prediction.probs.row(i));
  }
  return values;
}

template <double (*kMeasure)(const DirichletSummary&)>
std::optional<Array<double>> ofDirichlet(const ClassPrediction& prediction) {
  if (!prediction.alpha) {
    return std::nullopt;
  }
  const std::int64_t count = prediction.alpha->extent(0);
  auto values = Array<double>::zeros({count});
  for (std::int64_t i = 0; i < count; ++i) {
    values.mutableData()[i] = kMeasure(summariseDirichlet(prediction.alpha->row(i)));
  }
  return values;
}

double totalVariance(const DirichletSummary& summary) {
  double sum = 0.0;
  for (const double variance : summary.variance) {
    sum += variance;
  }
  return sum;
}

double precisionOf(const DirichletSummary& summary) {
  return summary.precision;
}

constexpr const char* kNoDistribution = "gives no distribution over probabilities";
constexpr const char* kNoDirichlet =
    "gives no Dirichlet; Laplace and the Gaussian process do, with a bridge as their link";

}  // namespace

const std::vector<ClassMapInfo>& classMaps() {
  static const std::vector<ClassMapInfo> maps{
      {"max_probability", "Largest probability", "",
       "How certain the prediction is; bright is certain.", "", false, largestProbability,
       [](std::int64_t classes) {
         return Interval{1.0 / static_cast<double>(classes), 1.0};
       }},
      {"entropy", "Entropy", "nats", "All uncertainty about the class; bright is uncertain.", "",
       false, [](const ClassPrediction& prediction) { return std::optional(prediction.entropy); },
       entropyRange},
      {"aleatoric", "Aleatoric", "nats",
       "Expected entropy: uncertainty that more data would not remove, where classes overlap.",
       kNoDistribution, false,
       [](const ClassPrediction& prediction) { return prediction.aleatoric; }, entropyRange},
      {"epistemic", "Epistemic", "nats",
       "Mutual information: where plausible models disagree, and data would help.", kNoDistribution,
       false, [](const ClassPrediction& prediction) { return prediction.epistemic; }, entropyRange},
      {"dirichlet_variance", "Dirichlet variance", "",
       "Sum of the variances of the class probabilities under the Dirichlet of the bridge.",
       kNoDirichlet, false, ofDirichlet<totalVariance>,
       [](std::int64_t classes) {
         return Interval{0.0, 1.0 - 1.0 / static_cast<double>(classes)};
       }},
      {"alpha_0", "Precision \u03b1\u2080", "",
       "Sum of the parameters of the Dirichlet: how many observations the bridge claims to have "
       "seen.",
       kNoDirichlet, true, ofDirichlet<precisionOf>, [](std::int64_t /*classes*/) {
         return Interval{0.1, 1e4};
       }}};
  return maps;
}

const ClassMapInfo* findClassMap(std::string_view key) {
  return findByKey(classMaps(), key);
}

}  // namespace dubito
