// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QComboBox;
class QLabel;
class QMenu;
class QToolButton;
class QStackedLayout;

namespace dubito {

/// A panel with a rounded frame: bold title, muted line with the conventions, an optional figure at
/// the right of the title, and one content widget or, in its place, a text that says what to do.
class Card : public QFrame {
  Q_OBJECT
 public:
  explicit Card(const QString& title, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Stands in the place of a title that is wider than the card.
  void setShortTitle(const QString& title);
  /// One muted line of parts that " · " separates (conventions, method, data set, N); the last ones
  /// are left out where they do not fit, the whole line is in the tooltip.
  void setSubtitle(const QString& subtitle);
  /// The number that sums the panel up ("ECE 1.14 %"); empty: none.
  void setFigure(const QString& figure, const QString& tooltip = {});
  /// Puts choices in the place of the title: several views of the same thing. The chosen text is
  /// the title.
  /// `short_titles`: in place of them where the card is too narrow; empty: the same.
  void setChoices(const QStringList& titles, const QStringList& short_titles = {});
  /// Makes one of them the present one; emits nothing.
  void setChoice(int index);
  /// Takes ownership; replaces (and deletes) the content before.
  void setContent(QWidget* content);
  [[nodiscard]] QWidget* content() const { return content_; }
  /// Shows `text` in place of the content; an empty text shows the content again.
  void setEmptyText(const QString& text);
  /// Offers `text` in the menu of its place: it asks how the content is to be made.
  void setOptionsText(const QString& text) { options_text_ = text; }
  [[nodiscard]] const QString& optionsText() const { return options_text_; }
  /// Adds what the shown parts of the content can be saved and copied as, in a submenu for each
  /// part where there are several; false if there is nothing to export.
  bool addExport(QMenu& menu) const;
  /// Puts a button at the right of the head that asks where the card is to stand.
  void setMovable(bool movable);

  [[nodiscard]] QString title() const;
  [[nodiscard]] QString subtitle() const { return subtitle_text_; }
  [[nodiscard]] QString figure() const;
  [[nodiscard]] QString emptyText() const;

 Q_SIGNALS:
  /// A person chose another of the choices.
  void choiceMade(int index);
  /// The options were chosen in the menu; `position` on the screen is where a form belongs.
  void optionsRequested(const QPoint& position);
  /// The button for its place was pressed; `position` on the screen is where a menu belongs.
  void placeMenuRequested(const QPoint& position);
  /// The head was double-clicked: as large as possible, or as it was.
  void enlargeRequested();

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// The figure joins the subtitle where the title leaves it no room.
  void fitHead();
  /// Full or short titles, whichever fit into `room` pixels.
  void fitChoices(int room);
  [[nodiscard]] int widthOfChoices(const QStringList& titles) const;

  QLabel* title_;
  QComboBox* choices_;
  QLabel* subtitle_;
  QLabel* figure_;
  QToolButton* place_;
  QLabel* empty_;
  QStackedLayout* stack_;
  QWidget* content_ = nullptr;
  QString short_title_;
  QStringList choice_titles_;
  QStringList short_choice_titles_;
  QString subtitle_text_;
  QString options_text_;
};

}  // namespace dubito
