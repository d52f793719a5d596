// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/study/study_draft.h"

namespace dubito {

/// Type of the value that a field of the form reads from a text.
enum class StudyFieldKind {
  kText,          ///< "idx:images.gz"
  kNumber,        ///< 3
  kTextOrNumber,  ///< a number if it is one
  kTexts,         ///< "plain, fixed": a text, or a list of several
  kNumbers,       ///< "1, 2, 3": a list
  kJson,          ///< {"tau": [1, 10]}
};

/// The value as text for the field; empty for null.
[[nodiscard]] QString textOfValue(const StudyJson* value, StudyFieldKind kind);
/// A value of an object as text, with commas between those of a list; empty if it has none.
[[nodiscard]] QString textAt(const StudyJson& object, const char* key);

/// The value of a text; null for an empty text. What cannot be understood becomes a text, which the
/// check of the study complains about.
[[nodiscard]] StudyJson valueOfText(const QString& text, StudyFieldKind kind);

}  // namespace dubito
