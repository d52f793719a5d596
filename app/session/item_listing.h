// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/history.h"
#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/analysis/selection_overview.h"

namespace dubito {

/// Items in the order in which they are shown.
using ItemList = std::shared_ptr<const std::vector<ItemRef>>;

/// Which items of the shown analysis are listed, in which order, and which one the inspector shows,
/// with undo and redo of queries. Answers to queries are set from outside (Workbench, Brushing).
/// GUI thread only.
class ItemListing : public QObject {
  Q_OBJECT
 public:
  explicit ItemListing(QObject* parent = nullptr);
  ~ItemListing() override;

  /// Lists the items of another analysis (null: none), with its default query. If it has the
  /// `same_items` as before, query and primary item are kept as far as possible. Call announce()
  /// afterwards.
  void show(AnalysisPtr analysis, bool same_items);
  /// Emits the signals of everything that show() changed.
  void announce();

  [[nodiscard]] const ItemQuery& query() const { return view_.query; }
  void setQuery(const ItemQuery& query);
  /// Sets a query without an undo step, if the analysis can answer it.
  void restoreQuery(const ItemQuery& query);

  // Selections in a plot show all groups.
  /// The query set by selectRange().
  [[nodiscard]] ItemQuery rangeQuery(Measure measure, Interval range) const;
  /// A range of a histogram.
  void selectRange(Measure measure, Interval range);
  /// A bin of a reliability diagram.
  void selectBin(const ReliabilityBinFilter& bin);
  /// The items of one cell of the confusion matrix.
  void selectCell(ClassPair cell);
  /// Items picked one by one; drops other filters.
  void selectPicked(PickedItems picked);
  /// Back to the groups and order before the selection in a plot.
  void clearSelection();

  void undo();
  void redo();
  [[nodiscard]] bool canUndo() const { return history_.canUndo(); }
  [[nodiscard]] bool canRedo() const { return history_.canRedo(); }

  /// The answer to the query; null until it is available.
  [[nodiscard]] const ItemList& items() const { return items_; }
  void setItems(ItemList items);

  /// What the plots show for the selected items; null if nothing is selected or not yet computed.
  [[nodiscard]] const SelectionOverviewPtr& selectionOverview() const {
    return selection_overview_;
  }
  void setSelectionOverview(SelectionOverviewPtr overview);

  /// The item shown in the inspector.
  [[nodiscard]] std::optional<ItemRef> primary() const { return primary_; }
  void setPrimary(std::optional<ItemRef> item);
  /// Its position in items(), -1 if it is not listed.
  [[nodiscard]] qint64 primaryPosition() const;
  /// Moves the primary item by `step` positions, clamped to the list.
  void movePrimary(qint64 step);

 Q_SIGNALS:
  void queryChanged();
  void itemsChanged();
  void primaryChanged();
  void selectionOverviewChanged();

 private:
  /// The current query, and the one before the selection in a plot.
  struct View {
    ItemQuery query;
    std::optional<ItemQuery> before_selection;
  };

  /// The current query without a selection in a plot, over all groups.
  [[nodiscard]] View withoutSelection() const;
  /// Applies a new view as an undo step.
  void change(View view);
  void apply(View view);

  AnalysisPtr analysis_;
  View view_;
  History<View> history_;
  ItemList items_;
  SelectionOverviewPtr selection_overview_;
  std::optional<ItemRef> primary_;
  /// Position of the primary item in the list as last looked up; -1: not listed.
  mutable std::optional<qint64> primary_position_;
};

}  // namespace dubito
