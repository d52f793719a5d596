// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_role.h"

#include <fmt/format.h>

namespace dubito {

Status checkTrainingRole(const Dataset& dataset) {
  const Role role = dataset.info().role;
  if (role == Role::kOod || role == Role::kUnlabelled) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its role is {}, but training needs items whose class is known; "
                            "give it the role train if that is intended",
                            dataset.info().spec, toString(role)),
                {datasetSetting("role", "train")});
  }
  return {};
}

}  // namespace dubito
