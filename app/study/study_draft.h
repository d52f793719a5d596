// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// A study file as JSON whose keys keep their order.
using StudyJson = nlohmann::ordered_json;

/// The text of a study file: what fits is on one line, other objects and lists have one member per
/// line.
[[nodiscard]] std::string studyFileText(const StudyJson& document);

/// Why a text is no study.
struct StudyProblem {
  std::string message;   ///< names the line and the place, and says what to write
  std::size_t line = 0;  ///< from 1; 0: no line is known
};

/// A study file that is being written, as text and as the document that forms change. A text that
/// is not JSON has no document; a document need not be a valid study.
class StudyDraft {
 public:
  StudyDraft() { setDocument(StudyJson::object()); }

  void setText(std::string text);
  /// Replaces the text by that of `document`.
  void setDocument(StudyJson document);
  /// Sets a value of the document, which must be there; null removes it. Missing objects on the way
  /// are added. The text is written anew.
  void set(const StudyJson::json_pointer& place, StudyJson value);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Null if the text is no JSON object.
  [[nodiscard]] const StudyJson* document() const { return document_ ? &*document_ : nullptr; }
  /// The value at `place`; null if there is none.
  [[nodiscard]] const StudyJson* find(const StudyJson::json_pointer& place) const;
  /// Empty: parseStudy() accepts the text.
  [[nodiscard]] const std::optional<StudyProblem>& problem() const { return problem_; }
  /// How many results the study needs of each kind; nullopt while there is a problem.
  struct Size {
    std::size_t targets = 0, networks = 0, rows = 0, seeds = 0;
  };
  [[nodiscard]] const std::optional<Size>& size() const { return size_; }

 private:
  void check();

  std::string text_;
  std::optional<StudyJson> document_;
  std::optional<StudyProblem> problem_;
  std::optional<Size> size_;
};

}  // namespace dubito
