// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// A class that items can be labelled with. Ids below the number of classes of the network are its
/// outputs; later classes get the next free id. Ids are never reused.
struct LabelClass {
  std::int64_t id = 0;
  std::string name;
  std::string colour = {};  ///< "#rrggbb"; empty: chosen by the window
  std::string key = {};     ///< the key that chooses it: one letter or digit; empty: none
  /// The class that replaced it; labels with this class then count as that one.
  std::optional<std::int64_t> merged_into = {};
};

/// The class of this id; nullptr if there is none.
[[nodiscard]] const LabelClass* findClass(std::span<const LabelClass> classes, std::int64_t id);
/// The class of this name that was not merged into another; nullptr if there is none.
[[nodiscard]] const LabelClass* findClass(std::span<const LabelClass> classes,
                                          std::string_view name);
/// The class that `id` counts as, after all merges; `id` itself if it was not merged.
[[nodiscard]] std::int64_t mergedClass(std::span<const LabelClass> classes, std::int64_t id);

}  // namespace dubito
