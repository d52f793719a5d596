// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/item_listing.h"

#include <algorithm>
#include <utility>

namespace dubito {

ItemListing::ItemListing(QObject* parent) : QObject(parent) {}
ItemListing::~ItemListing() = default;

void ItemListing::show(AnalysisPtr analysis, bool same_items) {
  analysis_ = std::move(analysis);
  items_.reset();
  primary_position_.reset();
  selection_overview_.reset();
  view_.before_selection.reset();
  const GroupFilter group = view_.query.group;
  if (!same_items) {
    primary_.reset();
  }
  if (!same_items || !canAnswer(*analysis_, view_.query)) {
    view_.query = analysis_ ? defaultQuery(*analysis_) : ItemQuery();
  } else {
    view_.query = withoutSelection().query;
    view_.query.group = group;
  }
  history_.clear();
}

void ItemListing::announce() {
  Q_EMIT queryChanged();
  Q_EMIT itemsChanged();
  Q_EMIT primaryChanged();
}

void ItemListing::apply(View view) {
  view_ = std::move(view);
  Q_EMIT queryChanged();
}

void ItemListing::change(View view) {
  if (view.query == view_.query) {
    return;
  }
  history_.push(view_);
  apply(std::move(view));
}

void ItemListing::setQuery(const ItemQuery& query) {
  change({query, hasSelection(query) ? view_.before_selection : std::nullopt});
}

ItemListing::View ItemListing::withoutSelection() const {
  View view{view_.query, hasSelection(view_.query) ? view_.before_selection : view_.query};
  view.query.group = GroupFilter::kAll;
  view.query.range.reset();
  view.query.reliability_bin.reset();
  view.query.cell.reset();
  view.query.picked.reset();
  return view;
}

ItemQuery ItemListing::rangeQuery(Measure measure, Interval range) const {
  ItemQuery query = withoutSelection().query;
  query.range = MeasureRange{measure, range};
  return query;
}

void ItemListing::selectRange(Measure measure, Interval range) {
  View view = withoutSelection();
  view.query = rangeQuery(measure, range);
  change(std::move(view));
}

void ItemListing::selectPicked(PickedItems picked) {
  View view = withoutSelection();
  // Drop other filters so that all picked items are listed.
  view.query.label.reset();
  view.query.predicted.reset();
  view.query.attribute.reset();
  view.query.picked = std::move(picked);
  change(std::move(view));
}

void ItemListing::selectCell(ClassPair cell) {
  View view = withoutSelection();
  view.query.cell = cell;
  change(std::move(view));
}

void ItemListing::clearSelection() {
  if (!hasSelection(view_.query)) {
    return;
  }
  ItemQuery query = withoutSelection().query;
  query.group = view_.query.group;
  if (const auto& before = view_.before_selection) {
    query.group = before->group;
    if (view_.query.picked) {
      query.label = before->label;
      query.predicted = before->predicted;
      query.attribute = before->attribute;
    }
  }
  change({query, std::nullopt});
}

void ItemListing::undo() {
  if (auto view = history_.undo(view_)) {
    apply(*std::move(view));
  }
}

void ItemListing::redo() {
  if (auto view = history_.redo(view_)) {
    apply(*std::move(view));
  }
}

void ItemListing::setSelectionOverview(SelectionOverviewPtr overview) {
  if (selection_overview_ != overview) {
    selection_overview_ = std::move(overview);
    Q_EMIT selectionOverviewChanged();
  }
}

void ItemListing::setItems(ItemList items) {
  items_ = std::move(items);
  primary_position_.reset();
  Q_EMIT itemsChanged();
  if (!primary_ && items_ && !items_->empty()) {
    setPrimary(items_->front());
  }
}

void ItemListing::setPrimary(std::optional<ItemRef> item) {
  if (primary_ != item) {
    primary_ = item;
    primary_position_.reset();
    Q_EMIT primaryChanged();
  }
}

qint64 ItemListing::primaryPosition() const {
  if (!primary_ || !items_) {
    return -1;
  }
  if (!primary_position_) {
    const std::size_t place = items_->placeOf(*primary_);
    primary_position_ = place == items_->size() ? -1 : static_cast<qint64>(place);
  }
  return *primary_position_;
}

void ItemListing::selectBin(const ReliabilityBinFilter& bin) {
  View view = withoutSelection();
  view.query.reliability_bin = bin;
  change(std::move(view));
}

void ItemListing::restoreQuery(const ItemQuery& query) {
  if (analysis_ && canAnswer(*analysis_, query)) {
    apply({query, std::nullopt});
  }
}

void ItemListing::movePrimary(qint64 step) {
  if (!items_ || items_->empty()) {
    return;
  }
  const qint64 present = primaryPosition();
  const qint64 last = static_cast<qint64>(items_->size()) - 1;
  const qint64 next = present < 0 ? 0 : std::clamp<qint64>(present + step, 0, last);
  const ItemRef item = (*items_)[static_cast<std::size_t>(next)];
  if (primary_ != item) {
    primary_ = item;
    primary_position_ = next;
    Q_EMIT primaryChanged();
  }
}

}  // namespace dubito
