// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <memory>
#include <vector>

class QLabel;

namespace dubito {

class Card;

/// Whether a card is docked in its page, floating in a separate window, or closed.
enum class CardPlace { kDocked, kFloating, kClosed };

/// Arranges cards in rows with draggable borders. The menu of each card can maximise it, float it
/// in a separate window, or close it. The other cards share the space of a floating or closed card.
class CardRows : public QSplitter {
  Q_OBJECT
 public:
  /// `name` is the object name. The object names of the rows are `name` plus a number.
  explicit CardRows(const QString& name, QWidget* parent = nullptr);
  ~CardRows() override;

  /// A column of a row.
  struct Share {
    Card* card;
    int width;                      ///< relative to the other columns of the row
    std::vector<Card*> below = {};  ///< further cards in the column, all of the same height
  };
  /// Adds a row at the bottom. `height` is relative to the other rows. Takes ownership of the
  /// cards.
  void addRow(int height, const std::vector<Share>& shares);

  [[nodiscard]] QList<Card*> cards() const;
  [[nodiscard]] CardPlace place(const Card& card) const;
  void setPlace(Card& card, CardPlace place);
  /// The window of `card`; null if it is not floating.
  [[nodiscard]] QWidget* floatingWindow(const Card& card) const;
  /// The maximised card; null if there is none.
  [[nodiscard]] Card* enlarged() const { return enlarged_; }
  void setEnlarged(Card* card);
  /// Docks all cards at their initial sizes.
  void reset();
  /// Makes later resizes of the page keep the current sizes, which the user has set.
  void keepSizes() { sizes_kept_ = true; }

 Q_SIGNALS:
  /// A card was docked, floated or closed.
  void placeChanged(Card* card);

 protected:
  bool event(QEvent* event) override;

 private:
  class FloatingWindow;
  class Part;
  /// A card and the placeholder that stands in for it while it floats.
  struct Slot {
    Card* card;
    QSplitter* holder;  ///< the row, or the column within a row, that contains the card
    CardPlace place = CardPlace::kDocked;
    std::unique_ptr<QWidget> placeholder;
    std::unique_ptr<FloatingWindow> window;
  };
  [[nodiscard]] const Slot* slotOf(const Card& card) const;
  void addCard(Card& card, QSplitter& holder);
  [[nodiscard]] QSplitter* makePart(Qt::Orientation orientation, const QString& name);
  void undock(Slot& slot);
  void dock(Slot& slot);
  void updatePlaces();
  void distributeSpace();
  void showPlaceMenu(Card& card, const QPoint& position);

  struct Row {
    QSplitter* splitter;
    int height;
    std::vector<int> widths;
  };
  std::vector<Row> rows_;
  std::vector<QSplitter*> columns_;  ///< columns with several cards
  std::vector<Slot> slots_;
  Card* enlarged_ = nullptr;
  bool sizes_kept_ = false;
  bool sharing_ = false;
  QLabel* all_closed_;
};

}  // namespace dubito
