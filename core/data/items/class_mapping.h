// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Position of the class `name` in `names`: the same name, else the only one that differs in ASCII
/// case; -1 if there is none.
[[nodiscard]] std::int64_t classByName(const std::string& name,
                                       const std::vector<std::string>& names);

/// Maps a dataset's labels to the model's class numbers by name: exact matches first, then matches
/// that ignore ASCII case. -1 stays -1. If either has no class names, the numbers are assumed to
/// agree. Fails if a class with items is not a class of the model, or if a label has no class name
/// in the dataset; the message names the class or label.
[[nodiscard]] Expected<std::vector<std::int64_t>> mapLabelsByName(
    std::span<const std::int64_t> labels, const std::vector<std::string>& dataset_classes,
    const std::vector<std::string>& model_classes);

/// How the classes of a dataset were matched with those of a model whose classes have no names.
struct UnnamedMatch {
  std::vector<std::int64_t> model_class;  ///< for each class of the dataset
  std::string note;                       ///< what was assumed, as a sentence
};

/// Matches the classes of a dataset, in the order of its numbers, with `model_classes` classes that
/// have numbers only. Names that are numbers are numbers of the model; other names are taken in
/// their order if there are as many as the model has classes. Fails if neither applies, or if both
/// do and contradict each other ("10" sorts before "2").
[[nodiscard]] Expected<UnnamedMatch> matchUnnamed(const std::vector<std::string>& dataset_classes,
                                                  std::int64_t model_classes);

}  // namespace dubito
