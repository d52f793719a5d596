// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/scatter_binder.h"

#include <utility>

#include "core/analysis/drawn_points.h"

namespace dubito {

ScatterBinder::ScatterBinder(Session& session, WorkerThread& worker, ScatterPlot& plot,
                             RectangleName rectangle_name)
    : session_(session),
      plot_(plot),
      rectangle_name_(std::move(rectangle_name)),
      select_job_(worker),
      mark_job_(worker) {
  connect(&plot_, &ScatterPlot::rectangleSelected, this, &ScatterBinder::select);
  connect(&plot_, &ScatterPlot::selectionCleared, &session_.listing(),
          &ItemListing::clearSelection);
  connect(&plot_, &ScatterPlot::pointChosen, this, [this](int point) {
    if (showsActiveRun()) {
      session_.listing().setPrimary(data_->items[static_cast<std::size_t>(point)]);
    }
  });
  connect(&session_.listing(), &ItemListing::queryChanged, this, &ScatterBinder::showQuery);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &ScatterBinder::showItems);
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &ScatterBinder::showPrimary);
}

ScatterBinder::~ScatterBinder() = default;

void ScatterBinder::setData(ScatterDataPtr data) {
  abandon();
  picked_ = {};
  data_ = std::move(data);
  showItems();
  showPrimary();
}

void ScatterBinder::restoreMarks() {
  showItems();
  showPrimary();
}

void ScatterBinder::abandon() {
  select_job_.abandon();
  mark_job_.abandon();
}

bool ScatterBinder::showsActiveRun() const {
  return data_ && data_->run == session_.activeAnalysis();
}

void ScatterBinder::select(const ScatterRectangle& rectangle) {
  if (!showsActiveRun()) {
    return;
  }
  const std::string name = rectangle_name_(rectangle).toStdString();
  select_job_.restart<PickedItems>(
      tr("Selecting"), {},
      [data = data_, rectangle, name](RunContext&) -> Expected<PickedItems> {
        return itemsInRectangle(*data, rectangle.x, rectangle.y, name);
      },
      this,
      [this, data = data_](const Expected<PickedItems>& picked) {
        if (picked && data == data_ && showsActiveRun()) {
          picked_ = *picked;
          session_.listing().selectPicked(*picked);
        }
      });
}

void ScatterBinder::showQuery() {
  const ItemQuery& query = session_.listing().query();
  const bool ours = query.picked && picked_.rows && query.picked->rows == picked_.rows;
  if (!ours && !isActive(select_job_.state())) {
    plot_.setRectangle(std::nullopt);
  }
  if (!hasSelection(query)) {
    mark_job_.abandon();
    plot_.setSelected(std::nullopt);
    Q_EMIT marked();
  }
}

void ScatterBinder::showItems() {
  const ItemList items = session_.listing().items();
  if (!data_ || !items || !hasSelection(session_.listing().query())) {
    return;
  }
  using Points = std::vector<std::int32_t>;
  mark_job_.restart<Points>(
      tr("Marking"), {},
      [data = data_, items](RunContext&) -> Expected<Points> {
        return pointsOfItems(*data, *items, kMaxScatterPoints);
      },
      this,
      [this](const Expected<Points>& points) {
        if (points) {
          plot_.setSelected(*points);
          Q_EMIT marked();
        }
      });
}

void ScatterBinder::showPrimary() {
  const std::optional<ItemRef> item = session_.listing().primary();
  std::optional<std::int32_t> point;
  if (showsActiveRun() && item) {
    point = data_->pointOf(*item);
  }
  plot_.setPrimary(point);
}

}  // namespace dubito
