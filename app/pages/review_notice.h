// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace dubito {

class FlowLayout;

/// Something that a person should know, and what she can do next: a line in the page that stays
/// until it is closed. Not an error, and nothing waits for it.
class ReviewNotice : public QFrame {
  Q_OBJECT
 public:
  struct Choice {
    QString name;  ///< of its button, after that of the notice and '-'
    QString text;
    std::function<void()> action;
  };
  /// Object names begin with `name`.
  explicit ReviewNotice(const QString& name, QWidget* parent = nullptr);

  /// `details` are shown on demand; empty: there are none.
  void tell(const QString& text, const std::vector<Choice>& choices, const QString& details = {});
  void setCloseText(const QString& text);
  [[nodiscard]] QString text() const;
  void dismiss();

 Q_SIGNALS:
  /// Closed by the person. The keyboard belongs to the page again.
  void dismissed();

 private:
  void restyle();

  QLabel* text_;
  QLabel* details_;
  QPushButton* more_;
  QPushButton* close_;
  FlowLayout* choices_;
  std::vector<QPushButton*> buttons_;
};

}  // namespace dubito
