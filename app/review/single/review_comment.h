// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>

class QLabel;
class QLineEdit;

namespace dubito {

class Reviewer;

/// Comments of all persons on the image under review, and a field for one's own comment. It is
/// saved with Enter or when the field is left, also by going to another image. What others have
/// written is hidden until the person has decided if their opinion should not be influenced.
class ReviewComment : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewComment(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
  void startWriting();
  /// Shows the key that starts writing.
  void showKeys();

 Q_SIGNALS:
  /// The keyboard belongs to the image again.
  void finished();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// This person's stored comment on the item shown.
  [[nodiscard]] QString storedComment() const;
  void showOthers();
  void save();

  Reviewer& reviewer_;
  QLabel* others_;
  QLineEdit* own_;
  std::optional<std::int64_t> item_;  ///< that the field is about
};

}  // namespace dubito
