// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/train/train.h"

namespace dubito::study {

/// Everything that determines a learning curve except data, seed, acquisition and length. The
/// defaults are a short form of the MNIST experiment of Gal, Islam and Ghahramani (2017).
struct ActiveLearningOptions {
  /// Items that can be labelled, drawn from the training items with the seed.
  std::int64_t pool = 10000;
  /// Items labelled at the start, equally many of each class.
  std::int64_t initial = 20;
  /// Items labelled in each round.
  std::int64_t per_round = 10;
  /// Draws of MC dropout on the pool.
  std::int64_t draws = 20;
  /// "map" (dropout off) or "mc-dropout" (mean of the draws).
  std::string test_method = "map";
  /// Share of the test items on which the accuracy is measured.
  double test_share = 1.0;
  /// Smallest number of training steps per round, rounded up to whole epochs, so that few labels
  /// are not trained less than many.
  std::int64_t steps = 300;
  /// Everything but the number of epochs. `batch` is the largest batch: all batches of an epoch
  /// have nearly the same size, because a step on a last batch of two items would undo much of the
  /// training.
  TrainOptions training = {
      .batch = 64, .learning_rate = 0.02, .drop_rate = {}, .shift = 0, .width = 0.5};

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// The training options for `labels` items.
  [[nodiscard]] TrainOptions trainingOn(std::int64_t labels) const;
};

/// Data and options as JSON: curves with equal conditions can be continued and averaged.
[[nodiscard]] nlohmann::json conditionsOf(ActiveLearningOptions options,
                                          const std::string& train_spec,
                                          const std::string& test_spec, int threads);

}  // namespace dubito::study
