// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dubito {

/// What a remark is about.
enum class RemarkSubject : std::uint8_t {
  kItem,     ///< a comment on an item; each person has one
  kClass,    ///< how a class is recognised; there is one for all
  kExample,  ///< the item is an example of a class, whose id is the text; for all
};

/// How a subject is written in files: "item", "class", "example".
[[nodiscard]] std::string_view keyOf(RemarkSubject subject);
[[nodiscard]] std::optional<RemarkSubject> remarkSubjectOfKey(std::string_view key);

/// The text of an example of this class, and the class of an example; nothing if it has none.
[[nodiscard]] std::string exampleText(std::int64_t class_id);
[[nodiscard]] std::optional<std::int64_t> classOfExample(std::string_view text);

/// A text about an item or a class. Other than decisions, it is replaced when it changes.
struct Remark {
  std::int64_t number = 0;  ///< ascending with every change in the store
  RemarkSubject subject = RemarkSubject::kItem;
  std::int64_t about = 0;  ///< id of the item or of the LabelClass
  std::string annotator = {};
  std::int64_t time_ms = 0;  ///< since 1970-01-01 UTC; 0: set when it is recorded
  std::string text = {};     ///< empty: it was removed

  friend bool operator==(const Remark&, const Remark&) = default;
};

}  // namespace dubito
