// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QComboBox;
class QLabel;
class QMenu;
class QToolButton;
class QStackedLayout;

namespace dubito {

class BusyVeil;

/// A rounded frame around a content widget, with a bold title, a muted subtitle for conventions,
/// and an optional headline figure to the right of the title. A hint can be shown in place of the
/// content.
class Card : public QFrame {
  Q_OBJECT
 public:
  explicit Card(const QString& title, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Sets a title to show if the full title is wider than the card.
  void setShortTitle(const QString& title);
  /// Sets the subtitle: parts separated by " · " (conventions, method, dataset, N). Trailing parts
  /// that do not fit are omitted; the tooltip shows the whole line.
  void setSubtitle(const QString& subtitle);
  /// Sets the headline figure ("ECE 1.14 %"); empty: none.
  void setFigure(const QString& figure, const QString& tooltip = {});
  /// Replaces the title with a chooser between views, whose titles are `titles`. `short_titles` are
  /// used if the card is too narrow; empty: same as `titles`.
  void setChoices(const QStringList& titles, const QStringList& short_titles = {});
  /// Selects a choice without emitting choiceMade().
  void setChoice(int index);
  /// Replaces the content widget. Takes ownership and deletes the previous content.
  void setContent(QWidget* content);
  [[nodiscard]] QWidget* content() const { return content_; }
  /// Shows `text` in place of the content; an empty text shows the content again.
  void setEmptyText(const QString& text);
  /// While the content is computed again, fades it and shows that after a moment (BusyVeil).
  void setBusy(bool is_busy);
  /// Adds an entry with `text` to the panel menu. Choosing the entry emits optionsRequested().
  void setOptionsText(const QString& text) { options_text_ = text; }
  [[nodiscard]] const QString& optionsText() const { return options_text_; }
  /// Adds the export actions of all visible plots and tables of the content to `menu`, in one
  /// submenu each if there are several. Returns false if there is nothing to export.
  bool addExport(QMenu& menu) const;
  /// Shows or hides the panel menu button at the right of the header; with it, a double-click on
  /// the header asks to enlarge the card.
  void setMovable(bool movable);

  [[nodiscard]] QString title() const;
  [[nodiscard]] QString subtitle() const { return subtitle_text_; }
  [[nodiscard]] QString figure() const;
  [[nodiscard]] QString emptyText() const;

 Q_SIGNALS:
  /// The user picked another choice.
  void choiceMade(int index);
  /// The options entry was chosen; `position` is the screen position for the form.
  void optionsRequested(const QPoint& position);
  /// The panel menu button was pressed; `position` is the screen position for the menu.
  void placeMenuRequested(const QPoint& position);
  /// The header was double-clicked; asks for the card to be maximised or restored.
  void enlargeRequested();

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Moves the figure into the subtitle if the title leaves no room for it.
  void fitHead();
  /// Chooses full or short titles, whichever fit into `room` pixels.
  void fitChoices(int room);
  [[nodiscard]] int choicesWidth(const QStringList& titles) const;

  QLabel* title_;
  QComboBox* choices_;
  QLabel* subtitle_;
  QLabel* figure_;
  QToolButton* menu_button_;
  QLabel* empty_;
  QStackedLayout* stack_;
  BusyVeil* veil_;
  QWidget* content_ = nullptr;
  QString short_title_;
  QStringList choice_titles_;
  QStringList short_choice_titles_;
  QString subtitle_text_;
  QString options_text_;
};

}  // namespace dubito
