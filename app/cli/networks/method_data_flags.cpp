// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/method_data_flags.h"

#include <fmt/format.h>

#include <tuple>

#include "app/cli/command.h"
#include "core/io/run_file.h"

namespace dubito::cli {

void MethodDataFlags::declare(CLI::App& app) {
  constexpr const char* kGroup = "Data to fit methods on";
  app.add_option("--fit", fit_, "dataset with the training items")->group(kGroup);
  app.add_option("--calibration", calibration_,
                 "labelled dataset used for neither training nor evaluation, or a --method map run "
                 "on it")
      ->group(kGroup);
  app.add_option("--posterior", posterior_,
                 "file with the fitted posterior; written if it does not exist")
      ->group(kGroup);
  app.add_flag("--allow-same-split", allow_same_split_,
               "fit on items that are also evaluated; noted in the run")
      ->group(kGroup);
}

Status MethodDataFlags::check(const MethodOptions& method, const MethodNeeds& used) const {
  const MethodNeeds& any = describe(method).needs;
  for (const auto& [flag, given, use, with_others] :
       {std::tuple("--fit", !fit_.empty(), used.fit, any.fit),
        {"--calibration", !calibration_.empty(), used.calibration, any.calibration},
        {"--posterior", !posterior_.empty(), used.posterior, any.posterior}}) {
    if (given && !use) {
      return usageError(fmt::format("--method {} does not use {}{}; remove it", methodName(method),
                                    flag, with_others ? " with these options" : ""));
    }
  }
  if (allow_same_split_ && posterior_.empty() && fit_.empty() && calibration_.empty()) {
    return usageError(
        "--allow-same-split has no effect without --fit, --calibration or --posterior; remove it");
  }
  return {};
}

bool MethodDataFlags::calibratesOnRun() const {
  return calibrates() && isRunFile(calibration_);
}

Expected<MethodData> MethodDataFlags::open(DatasetPtr evaluated, const RunInput& input,
                                           RunContext& context) const {
  MethodData data;
  if (evaluated) {
    data.evaluated = {std::move(evaluated)};
  }
  data.allow_same_split = allow_same_split_;
  data.posterior_path = posterior_;
  if (!fit_.empty()) {
    auto fit = openDataset(fit_, context);
    if (!fit) {
      return failWith(fit);
    }
    data.fit = *std::move(fit);
  }
  if (calibratesOnRun()) {
    if (Status sound = input.check(calibration_, context); !sound) {
      return failWith(sound);
    }
    auto run = readRun(calibration_, context);
    if (!run) {
      return failWith(run);
    }
    data.calibration_run = {calibration_, std::make_shared<const Run>(*std::move(run))};
  } else if (!calibration_.empty()) {
    auto calibration = openDataset(calibration_, context);
    if (!calibration) {
      return failWith(calibration);
    }
    data.calibration = *std::move(calibration);
  }
  return data;
}

}  // namespace dubito::cli
