// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/dirichlet.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/measures/measures.h"
#include "core/measures/special_functions.h"

namespace dubito {
namespace {

/// log(alpha_0 / alpha_k), accurate also if the mean is close to 1.
double surprise(double alpha, double rest) {
  const double ratio = rest / alpha;
  return std::isinf(ratio) ? std::log(rest) - std::log(alpha) : std::log1p(ratio);
}

void requireDirichlet(std::span<const double> alpha, const char* function) {
  if (alpha.size() < 2) {
    throw std::invalid_argument(std::string(function) + ": needs at least two classes");
  }
  for (const double value : alpha) {
    if (!(value > 0.0) || std::isinf(value)) {
      throw std::invalid_argument(std::string(function) +
                                  ": every alpha must be positive and finite");
    }
  }
}

}  // namespace

DirichletSummary summariseDirichlet(std::span<const double> alpha) {
  requireDirichlet(alpha, "summariseDirichlet");
  const std::size_t classes = alpha.size();
  DirichletSummary summary;
  summary.precision = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  summary.rest = sumsOfOthers(alpha);
  summary.mean.resize(classes);
  summary.variance.resize(classes);
  double sum_of_gamma_terms = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double rest = summary.rest[k];
    const double mean = alpha[k] / summary.precision;
    summary.mean[k] = mean;
    summary.variance[k] = mean * (rest / summary.precision) / (summary.precision + 1.0);
    summary.entropy_of_mean += mean * surprise(alpha[k], rest);
    summary.expected_entropy += mean * digammaDifference(alpha[k] + 1.0, rest);
    // sum m_k h(alpha_k) - h(alpha_0), class by class, since the means sum to 1.
    summary.mutual_information += mean * digammaExcessDrop(alpha[k], rest);
    sum_of_gamma_terms += gammaEntropyTerm(alpha[k]);
  }
  summary.mutual_information = std::max(0.0, summary.mutual_information);
  summary.differential_entropy = sum_of_gamma_terms - gammaEntropyTerm(summary.precision) -
                                 static_cast<double>(classes - 1) * digamma(summary.precision);
  return summary;
}

double proposition1Threshold(double rest) {
  // The textbook form multiplied by its conjugate: no cancellation for small r, no overflow for
  // large r.
  return 2.0 * rest / (std::sqrt((9.0 * rest + 1.0) / (rest + 1.0)) + 1.0);
}

Proposition1 checkProposition1(std::span<const double> alpha) {
  requireDirichlet(alpha, "checkProposition1");
  const std::vector<double> rest = sumsOfOthers(alpha);
  Proposition1 result;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    result.share_of_classes += alpha[k] > proposition1Threshold(rest[k]) ? 1.0 : 0.0;
  }
  result.share_of_classes /= static_cast<double>(alpha.size());
  const auto predicted = static_cast<std::size_t>(argmax(alpha));
  result.by_predicted_class = alpha[predicted] > proposition1Threshold(rest[predicted]);
  return result;
}

}  // namespace dubito
