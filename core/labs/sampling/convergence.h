// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dubito {

/// Largest rank-normalised split R-hat of chains that count as draws of one density (Vehtari et al.
/// 2021).
inline constexpr double kMaxRhat = 1.01;
/// Smallest effective sample size per chain at which R-hat and quantiles can be relied upon
/// (likewise: 400 for four chains).
inline constexpr double kMinEssPerChain = 100.0;

/// What several chains show about one or more scalars: the largest R-hat and the smallest effective
/// sample size.
struct ChainAgreement {
  double rhat = 0.0;        ///< NaN: not known, or nothing moved
  double ess = 0.0;         ///< likewise
  std::int64_t chains = 0;  ///< number of chains
  std::string of = {};      ///< what R-hat is of, for messages: " of the prediction at x = 2"
};

/// Whether the chains count as draws of one density: R-hat at most kMaxRhat, and an effective
/// sample size of at least kMinEssPerChain per chain.
[[nodiscard]] bool chainsAgree(const ChainAgreement& agreement);
/// What is wrong, one sentence without a full stop; nullopt if the chains agree.
[[nodiscard]] std::optional<std::string> disagreementText(const ChainAgreement& agreement);

}  // namespace dubito
