// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

class QAction;
class QMenu;
class QSettings;

namespace dubito {

class Card;
class CardRows;

/// The menu View, Panels over the cards of all pages, and the memory of where each one stood.
class CardPlaces : public QObject {
  Q_OBJECT
 public:
  struct NamedRows {
    QString title;  ///< of the page, as its tab says it
    CardRows* rows;
  };
  /// Puts every card where `settings` say that it was. All outlive this.
  CardPlaces(const std::vector<NamedRows>& pages, QSettings& settings, QWidget* window);

  [[nodiscard]] QMenu* menu() const { return menu_; }
  /// Ends that a card fills its page; false where none does.
  bool endEnlarged();
  /// All cards back in their pages, in their first sizes.
  void reset();

 private:
  void add(CardRows& rows, Card& card, QMenu& menu);
  void remember(const CardRows& rows, const Card& card);

  std::vector<NamedRows> pages_;
  QSettings& settings_;
  QMenu* menu_;
};

}  // namespace dubito
