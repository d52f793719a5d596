// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <cstdint>

namespace dubito {

struct PresentLabel;
class Reviewer;

/// What is known about the image under review, in one line: what the network suggests and how sure
/// it is, or what was decided.
class ReviewSuggestion : public QLabel {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewSuggestion(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
  /// The image cannot be read: says what can be done about it.
  void showUnreadable();
  /// There is no suggestion to accept: says what to do instead.
  void showHidden();
  /// The class that Enter takes (Reviewer::proposal()), and the given one; empty if there is none.
  [[nodiscard]] QString proposedName() const;
  [[nodiscard]] QString givenName() const;
  /// The decision about the image; empty if it is undecided.
  [[nodiscard]] QString decidedName() const;

 private:
  /// "4, 83 % sure (70 to 92 %)"; sets the tooltip.
  [[nodiscard]] QString suggestedText(std::int64_t row);
  [[nodiscard]] QString decidedText(const PresentLabel& label) const;
  /// Name of a class of the label file; empty if there is none.
  [[nodiscard]] QString nameOfClass(std::int64_t class_id) const;

  Reviewer& reviewer_;
};

}  // namespace dubito
