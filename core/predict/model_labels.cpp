// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/model_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/data/items/class_mapping.h"

namespace dubito {

Expected<std::vector<std::int64_t>> ModelLabels::numbersOf(
    const std::vector<std::int64_t>& occurring, const Model& model) {
  const std::vector<std::string>& names = dataset_->info().class_names;
  const bool any = std::ranges::any_of(occurring, [](std::int64_t label) { return label >= 0; });
  if (names.empty() || !model.metadata().class_names.empty() || !any) {
    return mapLabelsByName(occurring, names, model.metadata().class_names);
  }
  auto match = matchUnnamed(names, model.audit().classes);
  if (!match) {
    return failWith(match);
  }
  if (!match->note.empty()) {
    notes_.push_back(std::move(match->note));
  }
  std::vector<std::int64_t> numbers;
  for (const std::int64_t label : occurring) {
    const auto place = static_cast<std::size_t>(label);
    numbers.push_back(label >= 0 && place < names.size() ? match->model_class[place] : label);
  }
  return numbers;
}

Expected<ModelLabels> ModelLabels::of(const Model& model, const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  const bool no_true_class = info.role == Role::kOod || info.role == Role::kUnlabelled;
  ModelLabels result(dataset);
  std::vector<std::int64_t> occurring;
  for (const std::int64_t label : dataset.labels()) {
    if (result.class_of_.emplace(label, -1).second) {
      occurring.push_back(label);
    }
  }
  if (no_true_class) {
    return result;
  }
  const auto mapped = result.numbersOf(occurring, model);
  if (!mapped) {
    return failOf(info.name, mapped.error());
  }
  const std::int64_t classes = model.audit().classes;
  for (std::size_t i = 0; i < occurring.size(); ++i) {
    if ((*mapped)[i] >= classes) {
      const auto labels = dataset.labels();
      const auto first = std::find(labels.begin(), labels.end(), occurring[i]);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}, item {}: its label is {}, but the model has classes 0 to {}; "
                              "choose classes, or set the role ood",
                              info.name, dataset.itemName(first - labels.begin()), (*mapped)[i],
                              classes - 1),
                  {datasetSetting("classes"), datasetSetting("role", "ood")});
    }
    result.class_of_[occurring[i]] = (*mapped)[i];
  }
  return result;
}

}  // namespace dubito
