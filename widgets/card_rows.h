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
/// In a scroll area (makeCardScroll()) that is too small for its cards, cards of a row that would
/// be too narrow to read are stacked, and every card gets a readable height: the page scrolls.
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
  /// Adds cards at the bottom, once and after all rows: as many equal columns of them as fit if
  /// each card is at least `min_width` pixels wide, in as many rows as that takes. `height` is that
  /// of each row, relative to the other rows. Takes ownership of the cards.
  void addFlow(int height, const std::vector<Card*>& cards, int min_width);

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
  /// Makes later resizes of the page keep the current sizes, which the user has set. The next
  /// change of the number of columns of a flow ends that.
  void keepSizes() { sizes_kept_ = true; }
  /// Number of columns of the flow; 0: there is none.
  [[nodiscard]] int columnCount() const { return flow_.columns; }
  /// As narrow as the flow with one column.
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A card was docked, floated or closed.
  void placeChanged(Card* card);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class FloatingWindow;
  class Part;
  /// Larger than any minimum size; smaller sizes would first be raised to the minimum.
  static constexpr int kUnit = 10000;
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
  void showPlaces();
  /// Distributes the cards of the flow over its rows. Returns whether any has moved.
  bool arrangeFlow();
  /// Columns of the flow for so many docked cards.
  [[nodiscard]] int columnsFor(int cards) const;
  /// Width that every card of the flow needs, in pixels.
  [[nodiscard]] int flowCardWidth() const;
  /// Adapts the rows to the size of the scroll area around them. Returns whether any has changed.
  bool fitRoom();
  /// fitRoom(), then distributeSpace().
  void fit();
  void distributeSpace();
  void showPlaceMenu(Card& card, const QPoint& position);

  struct Row {
    QSplitter* splitter;
    int height;
    std::vector<int> widths;
  };
  /// How a row is laid out in a scroll area.
  struct RowRoom {
    bool is_stacked = false;  ///< its cards are below each other
    int cards_below = 0;      ///< number of cards below each other; 0: the row is hidden
  };
  [[nodiscard]] RowRoom roomOf(const Row& row, int width) const;
  /// Cards that share rows; there is one row for each card, of which the last ones may be empty.
  struct Flow {
    std::size_t first_row = 0;
    std::vector<Card*> cards = {};
    int min_width = 0;
    int columns = 0;
    std::vector<const Card*> docked = {};  ///< at the last arrangement
    bool was_visible = false;
  };
  std::vector<Row> rows_;
  Flow flow_;
  std::vector<QSplitter*> columns_;  ///< columns with several cards
  std::vector<Slot> slots_;
  Card* enlarged_ = nullptr;
  bool sizes_kept_ = false;
  bool sharing_ = false;
  bool was_fitted_ = false;  ///< the rows were seen in a scroll area
  QLabel* all_closed_;
};

}  // namespace dubito
