// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/data/items/dataset.h"

namespace dubito {
namespace {

constexpr std::array<std::pair<Role, const char*>, 5> kRoles{{{Role::kTrain, "train"},
                                                              {Role::kCalibration, "calibration"},
                                                              {Role::kTest, "test"},
                                                              {Role::kOod, "ood"},
                                                              {Role::kUnlabelled, "unlabelled"}}};

}  // namespace

std::string toString(Role role) {
  for (const auto& [value, name] : kRoles) {
    if (value == role) {
      return name;
    }
  }
  return {};
}

Expected<Role> parseRole(const std::string& text) {
  for (const auto& [value, name] : kRoles) {
    if (text == name) {
      return value;
    }
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("role '{}' is not known; use train, calibration, test, ood or unlabelled", text));
}

}  // namespace dubito
