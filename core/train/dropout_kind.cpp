// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/dropout_kind.h"

#include <array>
#include <utility>

namespace dubito {
namespace {

constexpr std::array<std::pair<const char*, DropoutKind>, 4> kKinds = {
    {{"none", DropoutKind::kNone},
     {"fixed", DropoutKind::kFixed},
     {"concrete", DropoutKind::kConcrete},
     {"multi", DropoutKind::kMulti}}};

}  // namespace

std::vector<std::string> dropoutKinds() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) {
    names.emplace_back(name);
  }
  return names;
}

DropoutKind dropoutKindOf(const std::string& name) {
  for (const auto& [known, kind] : kKinds) {
    if (name == known) {
      return kind;
    }
  }
  return DropoutKind::kNone;
}

bool learnsRates(DropoutKind kind) {
  return kind == DropoutKind::kConcrete || kind == DropoutKind::kMulti;
}

}  // namespace dubito
