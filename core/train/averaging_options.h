// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// More than the last weights of a training: their average, samples around it, or one network per
/// cycle of the learning rate.
struct AveragingOptions {
  /// Write the average of the weights of the last epochs (SWA).
  bool swa = false;
  /// Share of the epochs that is averaged.
  double swa_share = 0.25;
  /// Constant learning rate of the averaged epochs. Empty: a fifth of the initial rate.
  std::optional<double> swa_learning_rate = {};
  /// Number of networks sampled around the average (SWAG); 0: none.
  std::int64_t swag = 0;
  /// Deviations from the average kept for the samples: those of the last epochs.
  std::int64_t swag_rank = 20;
  /// Number of cycles of the learning rate, each of which ends with a network; 0: none.
  std::int64_t snapshots = 0;
  /// "all", or "last": after the first cycle only the last layer is trained.
  std::string snapshot_layers = "all";

  [[nodiscard]] std::vector<Field> fields();
  /// Options that contradict each other or need more than `epochs`.
  [[nodiscard]] Status check(std::int64_t epochs) const;

  [[nodiscard]] bool averages() const { return swa || swag > 0; }
  /// Number of epochs, the last of `epochs`, whose weights are averaged; 0 without averaging.
  [[nodiscard]] std::int64_t averagedEpochs(std::int64_t epochs) const;
  /// First epoch, from 0, of cycle `cycle`, from 0; `epochs` for the cycle after the last.
  [[nodiscard]] std::int64_t cycleBegin(std::int64_t cycle, std::int64_t epochs) const;
  /// The cycle of an epoch, both from 0.
  [[nodiscard]] std::int64_t cycleOf(std::int64_t epoch, std::int64_t epochs) const;
};

/// "m-2.pt" for "m.pt" and 2: the names of the networks of one command.
[[nodiscard]] std::string numberedPath(const std::string& path, std::int64_t number);

/// The files that a training with `options` to `output_path` writes: the network; with SWAG, then
/// the numbered samples; with snapshots, the numbered snapshots only.
[[nodiscard]] std::vector<std::string> networkPaths(const AveragingOptions& options,
                                                    const std::string& output_path);

}  // namespace dubito
