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

/// Manages the submenu View > Panels for the cards of all pages, and stores the place of each card
/// (docked, floating or closed) in the settings.
class CardPlaces : public QObject {
  Q_OBJECT
 public:
  struct NamedRows {
    QString title;  ///< title of the page, as on its tab
    CardRows* rows;
  };
  /// Restores the places of all cards from `settings`. All arguments must outlive this object.
  CardPlaces(const std::vector<NamedRows>& pages, QSettings& settings, QWidget* window);

  [[nodiscard]] QMenu* menu() const { return menu_; }
  /// Restores the maximised card to its normal size; returns false if there is none.
  bool endEnlarged();
  /// Docks all cards at their initial positions and sizes.
  void reset();

 private:
  void add(CardRows& rows, Card& card, QMenu& menu);
  void remember(const CardRows& rows, const Card& card);

  std::vector<NamedRows> pages_;
  QSettings& settings_;
  QMenu* menu_;
};

}  // namespace dubito
