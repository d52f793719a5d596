// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/train/train.h"

namespace dubito {

/// Networks that differ in their seeds (deep ensemble; Lakshminarayanan et al. 2017).
struct EnsembleOptions {
  std::int64_t members = 1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// One member of an ensemble.
struct MemberReport {
  std::int64_t number = 1;  ///< from 1
  std::uint64_t seed = 0;
  /// Trained by an earlier call; `training` then has only the files and the numbers of items and of
  /// averaged epochs.
  bool was_trained = false;
  TrainReport training;
};

/// Callbacks of trainEnsemble; each may be empty.
struct EnsembleEvents {
  TrainEvents training;  ///< of the member in training
  std::function<void(std::int64_t number, std::uint64_t seed)> on_member;  ///< begins
};

/// Trains members 1, 2, ... with the seeds context.seed, context.seed + 1, ..., as train() does, to
/// numberedPath(output_path, member). Members that an earlier call has finished with the same
/// options, seed, threads, device and data are kept, unless options.restart is set; an interrupted
/// member is resumed. With context.ranks, every process trains each size()-th member and returns
/// only those; the others must be gathered by the caller.
[[nodiscard]] Expected<std::vector<MemberReport>> trainEnsemble(
    const Dataset& dataset, const TrainOptions& options, const EnsembleOptions& ensemble,
    const std::string& output_path, RunContext& context, const EnsembleEvents& events = {});

}  // namespace dubito
