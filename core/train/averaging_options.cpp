// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/averaging_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dubito {

std::vector<Field> AveragingOptions::fields() {
  const Requirement of_average = oneUnless(averages(), {setting("swa"), setting("swag")});
  return {
      {{.name = "swa",
        .label = "Average weights",
        .help = "average the weights of the last epochs (SWA)",
        .advanced = true},
       &swa},
      {{.name = "swa_share",
        .label = "Averaged share",
        .help = "share of the epochs that is averaged",
        .min = 0.001,
        .max = 1,
        .unmet_requirement = of_average,
        .advanced = true},
       &swa_share},
      {{.name = "swa_learning_rate",
        .label = "Averaged rate",
        .help = "learning rate of the averaged epochs; by default a fifth of the initial one",
        .min = 1e-8,
        .max = 10,
        .unmet_requirement = of_average,
        .advanced = true},
       &swa_learning_rate},
      {{.name = "swag",
        .label = "SWAG samples",
        .help = "networks sampled around the averaged weights (SWAG); 0: none",
        .min = 0,
        .max = 1000,
        .advanced = true},
       &swag},
      {{.name = "swag_rank",
        .label = "SWAG rank",
        .help = "deviations from the average kept for SWAG",
        .min = 2,
        .max = 1000,
        .unmet_requirement = allUnless(swag > 0, {setting("swag")}),
        .advanced = true},
       &swag_rank},
      {{.name = "snapshots",
        .label = "Snapshots",
        .help = "cycles of the learning rate, one network at the end of each; 0: none",
        .min = 0,
        .max = 1000,
        .advanced = true},
       &snapshots},
      {{.name = "snapshot_layers",
        .label = "Snapshot layers",
        .help = "layers trained after the first snapshot",
        .choices = {"all", "last"},
        .unmet_requirement = allUnless(snapshots > 0, {setting("snapshots")}),
        .advanced = true},
       &snapshot_layers},
  };
}

Status AveragingOptions::check(std::int64_t epochs) const {
  if (averages() && snapshots > 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("snapshots cannot be combined with {}; choose one of them",
                            swag > 0 ? "SWAG samples" : "averaged weights"),
                {setting("snapshots"), setting(swag > 0 ? "swag" : "swa")});
  }
  if (snapshots == 1) {
    return fail(ErrorCode::kInvalidArgument,
                "one snapshot is too few, at least 2 are needed; leave them out for one network",
                {omitted("snapshots")});
  }
  if (snapshots > epochs) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{0} snapshots need at least one epoch each; use {0} epochs or more",
                            snapshots),
                {setting("snapshots"), setting("epochs")});
  }
  if (swag > 0 && averagedEpochs(epochs) < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("SWAG needs at least two averaged epochs, but {} of {} are averaged; "
                            "use a larger averaged share or more epochs",
                            averagedEpochs(epochs), epochs),
                {setting("swag"), setting("swa_share"), setting("epochs")});
  }
  return {};
}

std::int64_t AveragingOptions::averagedEpochs(std::int64_t epochs) const {
  if (!averages()) {
    return 0;
  }
  return std::clamp<std::int64_t>(std::llround(swa_share * static_cast<double>(epochs)), 1, epochs);
}

std::int64_t AveragingOptions::cycleBegin(std::int64_t cycle, std::int64_t epochs) const {
  return cycle * epochs / snapshots;
}

std::int64_t AveragingOptions::cycleOf(std::int64_t epoch, std::int64_t epochs) const {
  std::int64_t cycle = 0;
  while (cycleBegin(cycle + 1, epochs) <= epoch) {
    ++cycle;
  }
  return cycle;
}

std::string numberedPath(const std::string& path, std::int64_t number) {
  const std::filesystem::path file(path);
  const std::string name =
      fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string());
  return (file.parent_path() / name).string();
}

std::vector<std::string> networkPaths(const AveragingOptions& options,
                                      const std::string& output_path) {
  std::vector<std::string> paths;
  if (options.snapshots == 0) {
    paths.push_back(output_path);
  }
  for (std::int64_t number = 1; number <= options.swag + options.snapshots; ++number) {
    paths.push_back(numberedPath(output_path, number));
  }
  return paths;
}

}  // namespace dubito
