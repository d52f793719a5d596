// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/session/history.h"
#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/analysis/item_refs.h"
#include "core/analysis/selection_overview.h"

namespace dubito {

/// Items in display order.
using ItemList = std::shared_ptr<const ItemRefs>;

/// The query that selects and sorts the items of the shown analysis, the resulting list, and the
/// primary item, which the inspector shows. Supports undo and redo of queries. Workbench and
/// Brushing compute the results of a query and set them here. GUI thread only.
class ItemListing : public QObject {
  Q_OBJECT
 public:
  explicit ItemListing(QObject* parent = nullptr);
  ~ItemListing() override;

  /// Switches to another analysis (null: none) and its default query. If `same_items`, it has the
  /// same items as the previous analysis, and the query and the primary item are kept as far as
  /// possible. Emits nothing; call announce() afterwards.
  void show(AnalysisPtr analysis, bool same_items);
  /// Emits the change signals for show().
  void announce();

  [[nodiscard]] const ItemQuery& query() const { return view_.query; }
  void setQuery(const ItemQuery& query);
  /// Sets a query without adding an undo step. Ignored if the analysis cannot answer the query.
  void restoreQuery(const ItemQuery& query);

  // Selections made in a plot. They apply to the items of all groups.
  /// Returns the query that selectRange() would set.
  [[nodiscard]] ItemQuery rangeQuery(Measure measure, Interval range) const;
  /// Selects the items in a range of a histogram.
  void selectRange(Measure measure, Interval range);
  /// Selects the items in a bin of a reliability diagram.
  void selectBin(const ReliabilityBinFilter& bin);
  /// Selects the items in one cell of the confusion matrix.
  void selectCell(ClassPair cell);
  /// Selects items picked one by one; removes other filters.
  void selectPicked(PickedItems picked);
  /// Removes the selection made in a plot and restores the groups and the order before it.
  void clearSelection();

  void undo();
  void redo();
  [[nodiscard]] bool canUndo() const { return history_.canUndo(); }
  [[nodiscard]] bool canRedo() const { return history_.canRedo(); }

  /// The items that match the query; null until they have been computed.
  [[nodiscard]] const ItemList& items() const { return items_; }
  void setItems(ItemList items);

  /// Values that the plots show for the selected items; null if nothing is selected or they have
  /// not been computed yet.
  [[nodiscard]] const SelectionOverviewPtr& selectionOverview() const {
    return selection_overview_;
  }
  void setSelectionOverview(SelectionOverviewPtr overview);

  /// The primary item, which the inspector shows; nullopt: none.
  [[nodiscard]] std::optional<ItemRef> primary() const { return primary_; }
  void setPrimary(std::optional<ItemRef> item);
  /// Position of the primary item in items(); -1 if it is not listed.
  [[nodiscard]] qint64 primaryPosition() const;
  /// Moves the primary item by `step` positions, stopping at the ends of the list.
  void movePrimary(qint64 step);

 Q_SIGNALS:
  void queryChanged();
  void itemsChanged();
  void primaryChanged();
  void selectionOverviewChanged();

 private:
  /// A query and, if it includes a selection made in a plot, the query before the selection.
  struct View {
    ItemQuery query;
    std::optional<ItemQuery> before_selection;
  };

  /// The current query without its plot selection, widened to all groups.
  [[nodiscard]] View withoutSelection() const;
  /// Applies `view` and adds an undo step.
  void change(View view);
  void apply(View view);

  AnalysisPtr analysis_;
  View view_;
  History<View> history_;
  ItemList items_;
  SelectionOverviewPtr selection_overview_;
  std::optional<ItemRef> primary_;
  /// Cached result of primaryPosition(); nullopt: not looked up yet.
  mutable std::optional<qint64> primary_position_;
};

}  // namespace dubito
