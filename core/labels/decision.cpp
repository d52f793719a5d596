// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/decision.h"

#include <algorithm>
#include <array>

namespace dubito {
namespace {

constexpr std::array<std::string_view, 6> kActionKeys{"accept",    "correct", "not-in-classes",
                                                      "ambiguous", "skip",    "flag"};
constexpr std::array<std::string_view, 3> kOriginKeys{"dataset", "model", "person"};

template <class Value, std::size_t N>
std::optional<Value> valueOfKey(const std::array<std::string_view, N>& keys, std::string_view key) {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? std::nullopt
                             : std::optional(static_cast<Value>(found - keys.begin()));
}

}  // namespace

std::string_view keyOf(LabelAction action) {
  return kActionKeys.at(static_cast<std::size_t>(action));
}

std::string_view keyOf(LabelOrigin origin) {
  return kOriginKeys.at(static_cast<std::size_t>(origin));
}

std::optional<LabelAction> labelActionOfKey(std::string_view key) {
  return valueOfKey<LabelAction>(kActionKeys, key);
}

std::optional<LabelOrigin> labelOriginOfKey(std::string_view key) {
  return valueOfKey<LabelOrigin>(kOriginKeys, key);
}

bool assignsClass(LabelAction action) {
  return action == LabelAction::kAccept || action == LabelAction::kCorrect;
}

bool settles(LabelAction action) {
  return action != LabelAction::kSkip && action != LabelAction::kFlag;
}

}  // namespace dubito
