// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/decision.h"

#include <algorithm>
#include <array>

namespace dubito {
namespace {

/// In the order of the enums.
constexpr std::array<std::string_view, 6> kActionKeys{"accept",    "correct", "not-in-classes",
                                                      "ambiguous", "skip",    "flag"};
constexpr std::array<std::string_view, 3> kOriginKeys{"dataset", "model", "person"};

template <class Enum, std::size_t kCount>
std::optional<Enum> enumOfKey(const std::array<std::string_view, kCount>& keys,
                              std::string_view key) {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? std::nullopt
                             : std::optional<Enum>(static_cast<Enum>(found - keys.begin()));
}

}  // namespace

std::string_view keyOf(LabelAction action) {
  return kActionKeys.at(static_cast<std::size_t>(action));
}

std::string_view keyOf(LabelOrigin origin) {
  return kOriginKeys.at(static_cast<std::size_t>(origin));
}

std::optional<LabelAction> labelActionOfKey(std::string_view key) {
  return enumOfKey<LabelAction>(kActionKeys, key);
}

std::optional<LabelOrigin> labelOriginOfKey(std::string_view key) {
  return enumOfKey<LabelOrigin>(kOriginKeys, key);
}

bool assignsClass(LabelAction action) {
  return action == LabelAction::kAccept || action == LabelAction::kCorrect;
}

bool settles(LabelAction action) {
  return action != LabelAction::kSkip && action != LabelAction::kFlag;
}

void setPreviousLabel(const PresentLabel* present, std::int64_t given, Decision& decision) {
  if (present != nullptr) {
    decision.previous_class = present->class_id;
    decision.previous_origin = present->origin;
  } else if (given >= 0) {
    decision.previous_class = given;
    decision.previous_origin = LabelOrigin::kDataset;
  }
}

}  // namespace dubito
