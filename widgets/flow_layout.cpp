// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flow_layout.h"

#include <algorithm>

namespace dubito {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), gap_(gap) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
  items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) {
    return nullptr;
  }
  QLayoutItem* const item = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  return item;
}

int FlowLayout::heightForWidth(int width) const {
  return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
  int width = 0;
  int height = 0;
  for (const auto& item : items_) {
    if (!item->isEmpty()) {
      width += (width > 0 ? gap_ : 0) + item->sizeHint().width();
      height = std::max(height, item->sizeHint().height());
    }
  }
  return {width, height};
}

QSize FlowLayout::minimumSize() const {
  QSize size(0, 0);
  for (const auto& item : items_) {
    if (!item->isEmpty()) {
      size = size.expandedTo(item->minimumSize());
    }
  }
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
  std::vector<std::pair<QLayoutItem*, QRect>> line;
  int x = rect.left();
  int y = rect.top();
  int line_height = 0;
  const auto finishLine = [&] {
    for (auto& [item, where] : line) {
      if (place) {
        where.moveTop(y + (line_height - where.height()) / 2);
        item->setGeometry(where);
      }
    }
    line.clear();
  };
  for (const auto& item : items_) {
    if (item->isEmpty()) {
      continue;
    }
    QSize size = item->sizeHint().boundedTo(item->maximumSize()).expandedTo(item->minimumSize());
    size.setWidth(std::min(size.width(), std::max(rect.width(), item->minimumSize().width())));
    if (!line.empty() && x + size.width() > rect.left() + rect.width()) {
      finishLine();
      x = rect.left();
      y += line_height + gap_;
      line_height = 0;
    }
    line.emplace_back(item.get(), QRect(QPoint(x, y), size));
    x += size.width() + gap_;
    line_height = std::max(line_height, size.height());
  }
  finishLine();
  return y + line_height - rect.top();
}

}  // namespace dubito
