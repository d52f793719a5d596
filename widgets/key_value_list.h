// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/item_view_values.h"

class QGridLayout;
class QLabel;

namespace dubito {

/// Names at the left, values right-aligned with their units; the tooltip of a line holds its
/// formula.
class KeyValueList : public QWidget {
  Q_OBJECT
 public:
  explicit KeyValueList(QWidget* parent = nullptr);

  void setValues(std::vector<KeyValue> values);
  [[nodiscard]] const std::vector<KeyValue>& values() const { return values_; }

 private:
  struct Line {
    QLabel* name;
    QLabel* value;
  };
  std::vector<KeyValue> values_;
  std::vector<Line> lines_;
  QGridLayout* layout_;
};

}  // namespace dubito
