// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace dubito {

/// Something that a person should know, and what they can do next: one line in the page that stays
/// until it is closed. A text that is too long for it is cut, and complete in the tooltip. Not an
/// error, and nothing waits for it.
class ReviewNotice : public QFrame {
  Q_OBJECT
 public:
  struct Choice {
    QString name;  ///< of its button, after that of the notice and '-'
    QString text;
    std::function<void()> action;
    bool can_give_way = false;  ///< to the text, because the page offers the same elsewhere
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

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  /// Hides choices that give way until the text has room, and cuts the text if it has too little.
  void fit();

  QString full_text_;
  QLabel* text_;
  QLabel* details_;
  QScrollArea* details_area_;
  QPushButton* more_;
  QPushButton* close_;
  QHBoxLayout* line_;
  struct Button {
    QPushButton* button;
    bool can_give_way;
  };
  std::vector<Button> buttons_;
};

}  // namespace dubito
