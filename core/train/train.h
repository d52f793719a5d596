// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/train/augmentation_options.h"
#include "core/train/averaging_options.h"
#include "core/train/schedule_options.h"

namespace dubito {

/// How to train one of the built-in small networks. The seed comes from the RunContext.
struct TrainOptions {
  /// "lenet", "resnet" (three residual blocks with batch normalisation) or "mlp".
  std::string architecture = "lenet";
  std::int64_t epochs = 10;
  std::int64_t batch = 128;
  /// "sgd" (Nesterov momentum 0.9) or "adam".
  std::string optimiser = "sgd";
  /// Initial rate, which `schedule` changes. Empty: 0.05 for sgd, 0.001 for adam.
  std::optional<double> learning_rate;
  double weight_decay = 5e-4;
  /// Drop rate of every dropout layer: before fc1 and fc2 of a lenet, inside the last block and
  /// before the head of a resnet, after the hidden layers of an mlp. Empty: 0.2 for a resnet, whose
  /// normalised maps tolerate less, 0.5 for the others; see effectiveDropRate.
  std::optional<double> drop_rate;
  /// Largest random shift of the training images, in pixels; vectors are not shifted.
  std::int64_t shift = 2;
  /// Factor for the size of the layers: the 20 and 50 filters and 400 units of a lenet, the 16, 32
  /// and 64 filters of a resnet, the two layers of 256 units of an mlp.
  double width = 1.0;
  ScheduleOptions schedule = {};
  AugmentationOptions augmentation = {};
  AveragingOptions averaging = {};
  /// Start over even if an interrupted training run could be resumed. Not one of the fields(),
  /// because it does not affect the network.
  bool restart = false;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// options.drop_rate, or the default of the architecture if empty.
[[nodiscard]] double effectiveDropRate(const TrainOptions& options);

/// Results of one epoch.
struct EpochReport {
  std::int64_t epoch = 0;  ///< from 1
  double train_loss = 0.0;
  double train_accuracy = 0.0;
  double seconds = 0.0;
};

/// Results of train.
struct TrainReport {
  std::vector<EpochReport> epochs;    ///< finished epochs
  std::vector<std::string> networks;  ///< files written: networkPaths, or fewer if stopped early
  std::int64_t averaged_epochs = 0;   ///< whose weights are averaged
  std::int64_t parameter_count = 0;
  std::int64_t items = 0;       ///< number of training items
  std::int64_t unlabelled = 0;  ///< items skipped because they have no label
  std::int64_t unreadable = 0;  ///< items skipped because they cannot be read
  bool stopped_early = false;
  bool resumed = false;  ///< continued from an earlier call
  double seconds = 0.0;
};

/// Path of the checkpoint of an unfinished training run: "MODEL.pt.part", next to the model.
[[nodiscard]] std::string checkpointPath(const std::string& output_path);

/// Also the shortest training that writes a checkpoint without being cancelled.
inline constexpr double kMinSecondsBetweenCheckpoints = 5.0;

/// Callbacks of train; either may be empty.
struct TrainEvents {
  std::function<void(const EpochReport&)> on_epoch;
  std::function<void(const std::string&)> on_note;  ///< messages, such as where training resumes
};

/// Trains on the labelled items of `dataset`, read batch by batch, and writes a TorchScript file
/// with metadata.json inside the archive to `output_path` (as a temporary file, then renamed): mean
/// and std are those of the dataset, the loss is the cross entropy of the logits. The same seed,
/// options and number of threads give the same weights. If stopped early, the current weights are
/// written. The metadata records the role of the dataset. Averages, samples and snapshots are
/// written to networkPaths, a snapshot at the end of its cycle, the others at the end.
///
/// The state is written to checkpointPath on cancellation and after epochs, at most once in
/// kMinSecondsBetweenCheckpoints. The same call resumes from this file and ends with bit-identical
/// weights; a call with other options, seed, threads or data is an error unless options.restart is
/// set. The file is removed when training finishes.
///
/// Errors: OOD and unlabelled datasets, labels of a single class, images too small for the network,
/// vectors that cannot be mirrored or rotated,
/// a folder that cannot be written, and a loss that is no longer finite.
[[nodiscard]] Expected<TrainReport> train(const Dataset& dataset, const TrainOptions& options,
                                          const std::string& output_path, RunContext& context,
                                          const TrainEvents& events = {});

}  // namespace dubito
