// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <nlohmann/json_fwd.hpp>

#include <vector>

#include "core/base/expected.h"
#include "widgets/card.h"

namespace dubito {

class LabPlayer;

/// A laboratory on the page Labs.
class LabView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  ~LabView() override;

  /// The laboratory is shown; the first time, it opens its first data and starts.
  virtual void begin() = 0;
  /// Whether it is working or about to.
  [[nodiscard]] virtual bool busy() const = 0;

  /// Everything that decides what is shown, for a file that others can open.
  [[nodiscard]] virtual nlohmann::json setUp() const = 0;
  /// Shows what the laboratory showed whose setUp() this is; may replace begin(). Fails, with a
  /// reason and without a change, if a value is invalid; throws nlohmann's exceptions for missing
  /// keys and wrong types.
  [[nodiscard]] virtual Status applySetUp(const nlohmann::json& set_up) = 0;
  /// The setUp() that a new laboratory shows. Called before begin().
  [[nodiscard]] virtual nlohmann::json defaults() const;

  /// Takes back the last change of the points, or does it again; nothing for a laboratory in which
  /// nothing is drawn.
  virtual void undo() {}
  virtual void redo() {}

 Q_SIGNALS:
  /// One card is shown alone now, or all are again.
  void cardsChanged();
  /// `message` states the file or input concerned, the reason and what to do.
  void failed(const QString& message);

 protected:
  /// Places the set-up at the left and the results, which get all other space, at the right; where
  /// they have too little, they scroll. Adopts the cards of the results. The Tab key goes through
  /// what was made first.
  void setParts(QWidget* set_up, QWidget* results);
  /// Makes a plot or table named `name` and its card, named `name` + "Card". The laboratory reports
  /// the failures of the content.
  template <class Content>
  void makeCard(Card*& card, Content*& content, const QString& title, const QString& name) {
    card = new Card(title, this);
    card->setObjectName(name + QStringLiteral("Card"));
    content = new Content(card);
    content->setObjectName(name);
    card->setContent(content);
    connect(content, &Content::failed, this, &LabView::failed);
  }
  /// Gives a card of the results its menu: export, and maximise. Plots and tables get a height that
  /// can be read.
  void adopt(Card& card);
  /// Lets `runner`, which could run for ever, wait while another laboratory is shown.
  void pauseWhileHidden(LabPlayer& runner) { pausing_ = &runner; }
  void hideEvent(QHideEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// Shows `card` alone in the place of all cards; null: shows all again.
  void enlarge(Card* card);
  void showCardMenu(Card& card, const QPoint& position);

  QWidget* results_ = nullptr;
  Card* enlarged_ = nullptr;
  std::vector<QPointer<Card>> hidden_;  ///< by enlarge()
  LabPlayer* pausing_ = nullptr;
  bool plays_when_shown_ = false;
};

}  // namespace dubito
