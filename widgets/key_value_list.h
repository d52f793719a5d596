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

/// A list of names with right-aligned values and units. The tooltip of a line has the full value
/// and the formula.
class KeyValueList : public QWidget {
  Q_OBJECT
 public:
  explicit KeyValueList(QWidget* parent = nullptr);

  void setValues(std::vector<KeyValue> values);
  [[nodiscard]] const std::vector<KeyValue>& values() const { return values_; }
  /// Columns: name, value (as displayed), unit.
  [[nodiscard]] PlotTable table() const;
  /// Sets the title from which exports derive a file name.
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
