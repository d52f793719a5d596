// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dubito {

/// Which reviewed labels replaced the given ones of a run, and what they changed.
struct ReviewedLabelSource {
  std::string file;                 ///< label store without its folder: "digits.labels"
  std::int64_t sequence = 0;        ///< newest entry of its journal that was read
  std::int64_t items = 0;           ///< of the run
  std::int64_t decided = 0;         ///< items that a person decided
  std::int64_t changed = 0;         ///< items whose label is not the given one
  std::int64_t newly_labelled = 0;  ///< items that came without a label and have one now
  std::int64_t without_class = 0;   ///< items in none of the classes or ambiguous: unlabelled
  std::int64_t beyond_classes = 0;  ///< items of classes without an output: unlabelled
  std::int64_t by_model = 0;        ///< items labelled by the model alone: keep the given label

  friend bool operator==(const ReviewedLabelSource&, const ReviewedLabelSource&) = default;
};

/// "digits.labels, 132 of 10 000 changed, 5 labelled", and the number of items in classes that the
/// network does not have, if there are any.
[[nodiscard]] std::string changesOf(const ReviewedLabelSource& source);
/// For captions: "reviewed labels (digits.labels, 132 of 10 000 changed)".
[[nodiscard]] std::string describe(const ReviewedLabelSource& source);
/// What a user should know about the items without a reviewed label, one sentence each.
[[nodiscard]] std::vector<std::string> notesOf(const ReviewedLabelSource& source);

[[nodiscard]] nlohmann::json toJson(const ReviewedLabelSource& source);
/// Missing numbers are 0. Throws nlohmann's exceptions for wrong types.
[[nodiscard]] ReviewedLabelSource labelSourceFromJson(const nlohmann::json& object);

}  // namespace dubito
