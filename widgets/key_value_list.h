// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/exporter.h"
#include "widgets/item_view_values.h"
#include "widgets/plot_table.h"

class QGridLayout;
class QLabel;

namespace dubito {

/// Names at the left, right-aligned values with units; the tooltip of a line has its formula.
class KeyValueList : public QWidget {
  Q_OBJECT
 public:
  explicit KeyValueList(QWidget* parent = nullptr);

  void setValues(std::vector<KeyValue> values);
  [[nodiscard]] const std::vector<KeyValue>& values() const { return values_; }
  /// Columns: name, value, unit; values as shown.
  [[nodiscard]] PlotTable table() const;
  /// Basis of the suggested file name of exports.
  void setTitle(const QString& title) { title_ = title; }
  [[nodiscard]] Exporter& exporter() { return *exporter_; }

 Q_SIGNALS:
  /// The list could not be saved.
  void failed(const QString& message);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Line {
    QLabel* name;
    QLabel* value;
  };
  std::vector<KeyValue> values_;
  std::vector<Line> lines_;
  QGridLayout* layout_;
  QString title_;
  Exporter* exporter_;
};

}  // namespace dubito
