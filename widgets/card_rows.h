// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <memory>
#include <vector>

class QLabel;

namespace dubito {

class Card;

/// Where a card stands.
enum class CardPlace { kInPage, kFloating, kClosed };

/// Cards in rows whose borders can be dragged. Any card can fill all of it for a while, float in a
/// window of its own, or be closed; the others share its room. The menu of a card offers that.
class CardRows : public QSplitter {
  Q_OBJECT
 public:
  /// `name` is the object name, and with a number that of each row.
  explicit CardRows(const QString& name, QWidget* parent = nullptr);
  ~CardRows() override;

  struct Share {
    Card* card;
    int width;                      ///< relative to the others of the row
    std::vector<Card*> below = {};  ///< further cards of the same column, all of one height
  };
  /// Adds a row below the others; `height` is relative to theirs. Takes ownership of the cards.
  void addRow(int height, const std::vector<Share>& shares);

  [[nodiscard]] QList<Card*> cards() const;
  [[nodiscard]] CardPlace place(const Card& card) const;
  void setPlace(Card& card, CardPlace place);
  /// The window that a floating card is in; null for others.
  [[nodiscard]] QWidget* floatingWindow(const Card& card) const;
  /// The card that fills the page for now; null: none.
  [[nodiscard]] Card* enlarged() const { return enlarged_; }
  void setEnlarged(Card* card);
  /// Every card back in its place and in its first size.
  void reset();
  /// The sizes are as somebody wants them: they are not shared out anew when the page is resized.
  void keepSizes() { sizes_kept_ = true; }

 Q_SIGNALS:
  /// A card went to another place.
  void placeChanged(Card* card);

 protected:
  bool event(QEvent* event) override;

 private:
  class FloatingWindow;
  class Part;
  /// A card and what stands in its place while it floats.
  struct Slot {
    Card* card;
    QSplitter* holder;  ///< a row, or a column of one
    CardPlace place = CardPlace::kInPage;
    std::unique_ptr<QWidget> stand_in;
    std::unique_ptr<FloatingWindow> window;
  };
  [[nodiscard]] const Slot* slotOf(const Card& card) const;
  void addCard(Card& card, QSplitter& holder);
  [[nodiscard]] QSplitter* makePart(Qt::Orientation orientation, const QString& name);
  void takeOut(Slot& slot);
  void takeBack(Slot& slot);
  void showPlaces();
  void shareOut();
  void askPlace(Card& card, const QPoint& position);

  struct Row {
    QSplitter* splitter;
    int height;
    std::vector<int> widths;
  };
  std::vector<Row> rows_;
  std::vector<QSplitter*> columns_;  ///< those with several cards
  std::vector<Slot> slots_;
  Card* enlarged_ = nullptr;
  bool sizes_kept_ = false;
  bool sharing_ = false;
  QLabel* all_closed_;
};

}  // namespace dubito
