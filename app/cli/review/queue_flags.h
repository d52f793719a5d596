// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/review/label_errors.h"
#include "core/review/queue.h"

namespace dubito::cli {

/// A run and what its queue is computed from.
struct QueueRun {
  Run run;
  std::optional<Run> other = {};
  std::optional<RealArray> features = {};
  DatasetPtr images = nullptr;                  ///< of the run, for queues that compare them
  std::vector<std::int64_t> image_of_row = {};  ///< position in it; -1: it lacks the item
  QueueInputs inputs = {};                      ///< refers to the members above once bound
  std::vector<std::string> notes = {};

  /// Makes `inputs` refer to this object; call after it was moved to its final place.
  void bind();
};

/// The arguments RUN, --by, --other, --features, --dataset, --rule, --seed and --verify.
struct QueueFlags {
  std::string run;
  std::string other;
  std::string features;
  std::string dataset;
  QueueOptions options;
  LabelErrorOptions label_errors;
  std::uint64_t seed = 0;
  bool compares_with_random = false;  ///< the seed has an effect on every queue
  RunInput input;

  void declare(CLI::App& app);
  /// Opens everything and sets context.seed. Usage error for a flag without effect on this queue.
  [[nodiscard]] Expected<QueueRun> open(RunContext& context) const;
  /// Adds "run", "by", "seed" and the like to a result.
  void addTo(nlohmann::json& object, const QueueRun& opened, const Queue& queue) const;

 private:
  CLI::Option* other_flag_ = nullptr;
  CLI::Option* features_flag_ = nullptr;
  CLI::Option* dataset_flag_ = nullptr;
  CLI::Option* rule_flag_ = nullptr;
  CLI::Option* seed_flag_ = nullptr;
};

/// "unsure first (entropy)" and why, with the notes of the run and the queue before it.
[[nodiscard]] std::string describeQueue(const QueueRun& opened, const Queue& queue);

}  // namespace dubito::cli
