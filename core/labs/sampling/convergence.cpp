// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/convergence.h"

#include <fmt/format.h>

#include <cmath>

namespace dubito {
namespace {

/// R-hat of chains that hardly move is huge, and its digits mean nothing.
constexpr double kHugeRhat = 100.0;

double wantedEss(const ChainAgreement& agreement) {
  return kMinEssPerChain * static_cast<double>(agreement.chains);
}

/// With enough digits to differ from the limit.
std::string rhatText(double rhat) {
  if (rhat > kHugeRhat) {
    return "above 100";
  }
  return rhat < kMaxRhat + 0.005 ? fmt::format("{:.5g}", rhat) : fmt::format("{:.3f}", rhat);
}

}  // namespace

bool chainsAgree(const ChainAgreement& agreement) {
  // Comparisons with NaN are false.
  return agreement.rhat <= kMaxRhat && agreement.ess >= wantedEss(agreement);
}

std::optional<std::string> disagreementText(const ChainAgreement& agreement) {
  if (chainsAgree(agreement)) {
    return std::nullopt;
  }
  if (agreement.chains < 2) {
    return "A single chain cannot show that it has not converged; use more chains";
  }
  if (std::isnan(agreement.rhat) || std::isnan(agreement.ess)) {
    return "There are too few different states to compare the chains: not a posterior yet";
  }
  if (agreement.rhat > kMaxRhat) {
    return fmt::format(
        "R-hat{} is {} (at most {} for results): the chains disagree, this is not a posterior yet",
        agreement.of, rhatText(agreement.rhat), kMaxRhat);
  }
  return fmt::format(
      "The states are worth {:.0f} independent ones, fewer than {:.0f}: R-hat cannot be relied "
      "upon "
      "yet; let the chains run on, or keep more states",
      agreement.ess, wantedEss(agreement));
}

}  // namespace dubito
