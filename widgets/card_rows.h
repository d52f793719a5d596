// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <memory>
#include <vector>

class QLabel;

namespace dubito {

class Card;

/// State of a card within its page.
enum class CardPlace { kDocked, kFloating, kClosed };

/// Cards in rows with draggable borders. Each card can be maximised, float in its own window, or be
/// closed; the remaining cards share its space. The menu of each card offers these actions.
class CardRows : public QSplitter {
  Q_OBJECT
 public:
  /// `name` is the object name; the rows are named `name` plus a number.
  explicit CardRows(const QString& name, QWidget* parent = nullptr);
  ~CardRows() override;

  struct Share {
    Card* card;
    int width;                      ///< relative to the other cards of the row
    std::vector<Card*> below = {};  ///< more cards in the same column, all of equal height
  };
  /// Adds a row at the bottom; `height` is relative to the other rows. Takes ownership of the
  /// cards.
  void addRow(int height, const std::vector<Share>& shares);

  [[nodiscard]] QList<Card*> cards() const;
  [[nodiscard]] CardPlace place(const Card& card) const;
  void setPlace(Card& card, CardPlace place);
  /// The window of a floating card; null for other cards.
  [[nodiscard]] QWidget* floatingWindow(const Card& card) const;
  /// The maximised card; null: none.
  [[nodiscard]] Card* enlarged() const { return enlarged_; }
  void setEnlarged(Card* card);
  /// Returns all cards to the page at their initial sizes.
  void reset();
  /// Keeps the current sizes, set by the user, when the page is resized.
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
    QSplitter* holder;  ///< a row, or a column within one
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
  std::vector<QSplitter*> columns_;  ///< columns that hold several cards
  std::vector<Slot> slots_;
  Card* enlarged_ = nullptr;
  bool sizes_kept_ = false;
  bool sharing_ = false;
  QLabel* all_closed_;
};

}  // namespace dubito
