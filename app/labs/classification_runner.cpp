// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification_runner.h"

#include <algorithm>
#include <utility>

namespace dubito {

void ClassificationRunner::setData(ClassData data) {
  data_ = std::move(data);
  const Status checked = checkClassData(data_);
  data_error_ = checked ? QString() : QString::fromStdString(checked.error().message);
  restart();
  Q_EMIT dataChanged();
}

void ClassificationRunner::apply(const ClassificationPreset& preset) {
  std::vector<Entry> entries;
  for (const ClassificationPreset::Method& chosen : preset.methods) {
    entries.push_back({chosen.info, chosen.method, nullptr, {}});
  }
  options_ = preset.options;
  setSeedOfNextStart(preset.seed);
  replaceMethods(std::move(entries));
}

ClassificationPreset ClassificationRunner::preset() const {
  ClassificationPreset preset;
  preset.seed = seed();
  preset.options = options_;
  for (const Entry& entry : entries()) {
    preset.methods.push_back({entry.info, entry.method});
  }
  return preset;
}

void ClassificationRunner::setZoom(double zoom, bool moving) {
  options_.zoom = zoom;
  redraw(moving);
}

ClassificationRunner::Start ClassificationRunner::starter() const {
  return [data = std::make_shared<const ClassData>(data_), seed = seed()](
             const ClassMethod& method) { return ClassificationLab::start(*data, method, seed); };
}

ClassificationRunner::Paint ClassificationRunner::painter() const {
  return [options = options_](const ClassificationLab& lab, bool fine,
                              const ClassPicture* /*earlier*/, RunContext& context) {
    ClassificationLabOptions used = options;
    if (!fine) {
      used.grid = std::min(used.grid, kCoarseSide);
      used.max_draws = std::min(used.max_draws, kCoarseDraws);
    }
    return lab.picture(used, context);
  };
}

}  // namespace dubito
