// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression_runner.h"

#include <utility>

namespace dubito {

void RegressionRunner::setData(RegressionData data) {
  data_ = std::move(data);
  const Status checked = checkRegressionData(data_);
  data_error_ = checked ? QString() : QString::fromStdString(checked.error().message);
  restart();
  Q_EMIT dataChanged();
}

void RegressionRunner::apply(const RegressionPreset& preset) {
  std::vector<Entry> entries;
  for (const RegressionPreset::Method& chosen : preset.methods) {
    entries.push_back({chosen.info, chosen.method, nullptr, {}});
  }
  options_ = preset.options;
  setSeedOfNextStart(preset.seed);
  replaceMethods(std::move(entries));
}

RegressionPreset RegressionRunner::preset() const {
  RegressionPreset preset;
  preset.seed = seed();
  preset.options = options_;
  for (const Entry& entry : entries()) {
    preset.methods.push_back({entry.info, entry.method});
  }
  return preset;
}

RegressionRunner::Start RegressionRunner::starter() const {
  return [data = std::make_shared<const RegressionData>(data_), options = options_,
          seed = seed()](const RegressionMethod& method) {
    return RegressionLab::start(*data, method, options, seed);
  };
}

RegressionRunner::Paint RegressionRunner::painter() const {
  return [](const RegressionLab& lab, bool fine, const RegressionPicture* earlier,
            RunContext& context) {
    // Nobody reads numbers that change faster.
    constexpr double kSecondsBetweenScores = 0.5;
    const bool repeats = !fine && earlier != nullptr && lab.done() < lab.total() &&
                         lab.seconds() < earlier->scored_seconds + kSecondsBetweenScores;
    return lab.picture(context, repeats ? earlier : nullptr);
  };
}

}  // namespace dubito
