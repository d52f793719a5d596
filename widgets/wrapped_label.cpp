// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wrapped_label.h"

#include <utility>

namespace dubito {

WrappedLabel::WrappedLabel(QWidget* parent) : WrappedLabel(QString(), parent) {}

WrappedLabel::WrappedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setWordWrap(true);
}

int WrappedLabel::heightForWidth(int width) const {
  Look look{text(), font(), contentsMargins(), margin(), textFormat(), wordWrap()};
  if (look != look_) {
    look_ = std::move(look);
    heights_.clear();
  }
  const auto known = heights_.constFind(width);
  if (known != heights_.constEnd()) {
    return *known;
  }
  return *heights_.insert(width, QLabel::heightForWidth(width));
}

}  // namespace dubito
