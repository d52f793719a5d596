// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/variance_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/laplace/link.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

// A variance of this size changes a probability that is not near 0 or 1 by more than kRounding.
constexpr float kSmallVariance = 1e-2F;
constexpr double kNearlyCertain = 0.99;
/// Rounding error of alphas in float32.
constexpr double kRounding = 1e-5;

}  // namespace

void VarianceUse::add(const Array<float>& mean, const Array<float>& variance,
                      const Array<double>& probs) {
  for (std::int64_t row = 0; row < mean.extent(0) && !seen; ++row) {
    if (!(std::ranges::max(variance.row(row)) > kSmallVariance)) {
      continue;
    }
    const std::vector<double> plain = softmax(mean.row(row));
    if (std::ranges::max(plain) > kNearlyCertain) {
      continue;
    }
    tried = true;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      seen = seen || std::abs(plain[k] - probs.row(row)[k]) > kRounding;
    }
  }
}

std::optional<Note> VarianceUse::note(const std::string& link, std::int64_t classes) const {
  if (!tried || seen) {
    return std::nullopt;
  }
  const bool always = classes == 2 && linkGivesAlpha(link);
  return Note(
      NoteKind::kUnusedVariance,
      fmt::format(
          "The link {} does not use the variance of the logits: the probabilities of all items are "
          "the network's own softmax{}; use the link mc or probit",
          link,
          always ? " (for two classes this always holds for the mean of the Laplace bridge; "
                   "entropies and alphas do depend on the variance)"
                 : ""));
}

}  // namespace dubito
