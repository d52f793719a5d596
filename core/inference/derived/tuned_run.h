// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// What is turned of a finished run, without its network: first how its probabilities come about
/// (fewer draws, or another link), then the temperature.
struct RunTuning {
  /// The first so many of its draws; empty: all.
  std::optional<std::int64_t> draws = std::nullopt;
  /// Another link for its Gaussians over logits; empty: its own.
  std::optional<std::string> link = std::nullopt;
  /// Another prior precision of its Laplace posterior. That takes the network (PriorExplorer, or a
  /// fresh prediction); tunedRun refuses it.
  std::optional<double> tau = std::nullopt;
  double temperature = 1.0;
  /// Where the temperature comes from, as the run is to tell it; empty: by hand.
  std::string temperature_source = {};

  friend bool operator==(const RunTuning&, const RunTuning&) = default;
};

/// What of `tuning` comes before the temperature, without the network.
[[nodiscard]] RunTuning firstStep(const RunTuning& tuning);

/// The link of a run's Gaussians; empty where it has none or does not tell.
[[nodiscard]] std::string linkOf(const Run& run);

/// The prior precision of a Laplace run; nothing where it is none or does not tell.
[[nodiscard]] std::optional<double> tauOf(const Run& run);

/// Whether nothing changes: all draws, the run's own link and prior, T = 1.
[[nodiscard]] bool changesNothing(const RunTuning& tuning, const Run& run);

/// The run of its first `draws` draws alone, as a fresh run with so many draws and the same seed
/// would be; all of them: the run as it is. kInvalidArgument where it kept no draws or fewer,
/// kCancelled.
[[nodiscard]] Expected<Run> firstDraws(const Run& run, std::int64_t draws,
                                       const RunContext& context);

/// The run with another link applied to the means and variances of its logits. Covariances between
/// logits are not kept in runs: "probit" needs none and is exact; the others are exact where the
/// logits are independent (a diagonal posterior), else the run's notes say so. Its own link: the
/// run as it is. kInvalidArgument where it holds no Gaussians or no link is called so, kCancelled.
[[nodiscard]] Expected<Run> relinked(const Run& run, const std::string& link,
                                     const RunContext& context);

/// All of it in this order, recorded: the method is "tuned", its options hold the method and
/// options of `run` under "of", the steps under "order", and each value. Where nothing changes, the
/// run as it is. kInvalidArgument for another prior, errors of the steps.
[[nodiscard]] Expected<Run> tunedRun(const Run& run, const RunTuning& tuning,
                                     const RunContext& context);

}  // namespace dubito
