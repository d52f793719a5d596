// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/retraining_options.h"

#include <nlohmann/json.hpp>

namespace dubito {

std::vector<Field> RetrainingOptions::fields() {
  std::vector<Field> all = {
      {{.name = "layers",
        .label = "Layers",
        .help = "layers that are trained: the last one anew, or all further",
        .choices = {"last", "all"}},
       &layers},
      {{.name = "budget",
        .label = "Budget",
        .help = "most labels to train on; of the automatic ones, the surest",
        .min = 1,
        .max = 1e9},
       &budget},
      {{.name = "l2",
        .label = "L2 penalty",
        .help = "strength of the L2 penalty of weights and bias of the last layer, per item",
        .min = 1e-12,
        .max = 1e6,
        .unmet_requirement = allUnless(layers == "last", {neededWords("\"layers\": \"last\"")})},
       &l2}};
  for (Field& field : fine_tuning.fields()) {
    field.info.unmet_requirement = allUnless(layers == "all", {neededWords("\"layers\": \"all\"")});
    all.push_back(std::move(field));
  }
  return all;
}

Status RetrainingOptions::check() const {
  RetrainingOptions copy = *this;
  return checkFields(copy.fields());
}

nlohmann::json RetrainingOptions::effective() const {
  RetrainingOptions copy = *this;
  std::vector<Field> fields = copy.fields();
  std::erase_if(fields, [&](const Field& field) {
    const bool is_usual = (field.info.name == "layers" && layers == "last") ||
                          (field.info.name == "budget" && !budget);
    return is_usual || !field.info.unmet_requirement.empty();
  });
  return fieldsToJson(fields);
}

}  // namespace dubito
