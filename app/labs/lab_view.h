// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "app/words/plot_caption.h"
#include "core/base/expected.h"

namespace dubito {

class CurvePlot;
class FileOpener;
class LabPlayer;
class RunComputer;
class Session;
class SharedGaussian;
class WindowJobs;
class WorkerThread;
struct CurvePlotValue;

/// What the page gives its laboratories; all outlive them.
struct LabParts {
  Session& session;
  WindowJobs& jobs;
  RunComputer& computer;
  FileOpener& opener;
  WorkerThread& worker;
  SharedGaussian& gaussian;  ///< of the simplex laboratory
};

/// A plot or table of a laboratory, and its card.
template <class Content>
struct LabCard {
  Card* card = nullptr;
  Content* content = nullptr;
};

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

  /// Shows or hides the set-up: an audience looks at the results.
  virtual void setPresented(bool presented);
  /// What a recording has: all but the set-up.
  [[nodiscard]] QWidget& recordedPart();
  /// Shows all cards if one is shown alone; returns false if none is.
  bool endEnlarged();

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
  /// Makes a plot or table named `name`, whose failures the laboratory reports.
  template <class Content>
  Content* makeContent(const QString& name, QWidget* parent) {
    auto* const content = new Content(parent);
    content->setObjectName(name);
    connect(content, &Content::failed, this, &LabView::failed);
    return content;
  }
  /// The same in a card named `name` + "Card".
  template <class Content>
  LabCard<Content> makeCard(const QString& title, const QString& name) {
    auto* const card = new Card(title, this);
    card->setObjectName(name + QStringLiteral("Card"));
    auto* const content = makeContent<Content>(name, card);
    card->setContent(content);
    return {card, content};
  }
  /// Shows `text` in place of the contents; empty: shows them again.
  static void setEmptyText(std::initializer_list<Card*> cards, const QString& text);
  /// Shows curves in a card, and `caption` below its title.
  static void showIn(const LabCard<CurvePlot>& shown, CurvePlotValue curves,
                     const QString& caption);
  /// Gives a card of the results its menu: export, and maximise. Plots and tables get a height that
  /// can be read.
  void adopt(Card& card);
  /// While another laboratory is shown, `player` gives way to it.
  void setPlayer(LabPlayer& player) { player_ = &player; }
  /// The player pauses meanwhile, because it could run for ever.
  void pauseWhileHidden() { pauses_while_hidden_ = true; }
  void hideEvent(QHideEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// Shows `card` alone in the place of all cards; null: shows all again.
  void enlarge(Card* card);
  void showCardMenu(Card& card, const QPoint& position);

  /// A plot for an audience is higher.
  void fitLeastHeight(PlotBase& plot) const;

  QWidget* set_up_ = nullptr;
  bool is_presented_ = false;
  QWidget* results_ = nullptr;
  Card* enlarged_ = nullptr;
  std::vector<QPointer<Card>> hidden_;  ///< by enlarge()
  LabPlayer* player_ = nullptr;
  bool pauses_while_hidden_ = false;
  bool plays_when_shown_ = false;
};

}  // namespace dubito
