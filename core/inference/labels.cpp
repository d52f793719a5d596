// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/class_mapping.h"

namespace dubito {

Expected<std::vector<std::int64_t>> labelsForModel(const Model& model, const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  if (info.role == Role::kOod || info.role == Role::kUnlabelled) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(dataset.size()), -1);
  }
  auto labels = mapLabelsByName(dataset.labels(), info.class_names, model.metadata().class_names);
  if (!labels) {
    Error error = labels.error();
    error.message = fmt::format("{}: {}", info.name, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  const std::int64_t classes = model.audit().classes;
  const auto beyond = std::find_if(labels->begin(), labels->end(),
                                   [classes](std::int64_t label) { return label >= classes; });
  if (beyond != labels->end()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}, item {}: its label is {}, but the model has classes 0 to {}; "
                    "choose classes with ?classes=, or say ?role=ood",
                    info.name, dataset.itemName(beyond - labels->begin()), *beyond, classes - 1));
  }
  return labels;
}

}  // namespace dubito
