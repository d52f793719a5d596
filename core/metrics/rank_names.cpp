// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/rank_names.h"

#include <algorithm>
#include <stdexcept>

namespace dubito {

namespace {

std::string rankingName(Ranking ranking, const std::string& ood) {
  const std::string set = ood.empty() ? "OOD" : "OOD " + ood;
  switch (ranking) {
    case Ranking::kCorrectVsMisclassified:
      return "correct vs misclassified";
    case Ranking::kCorrectVsOod:
      return "correct vs " + set;
    case Ranking::kInVsOod:
      return "in vs " + set;
  }
  throw std::invalid_argument("rankingName: invalid ranking");
}

}  // namespace

std::string rankMetricName(const std::string& metric, Ranking ranking, const std::string& ood,
                           const std::string& score) {
  std::string name = metric + " " + rankingName(ranking, ood);
  if (!score.empty()) {
    std::string words = score;
    std::ranges::replace(words, '_', ' ');
    name += " (" + words + ")";
  }
  return name;
}

}  // namespace dubito
