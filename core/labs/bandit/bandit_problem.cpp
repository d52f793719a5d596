// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/bandit_problem.h"

#include <algorithm>
#include <numeric>

namespace dubito {

double BanditRound::best() const {
  return std::ranges::max(expected);
}

double BanditRound::uniformRegret() const {
  return best() - std::accumulate(expected.begin(), expected.end(), 0.0) /
                      static_cast<double>(expected.size());
}

std::vector<std::string> BanditProblem::armNames() const {
  std::vector<std::string> names;
  for (std::int64_t arm = 1; arm <= armCount(); ++arm) {
    names.push_back("arm " + std::to_string(arm));
  }
  return names;
}

}  // namespace dubito
