// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <utility>

#include "app/session/session.h"
#include "widgets/exporter.h"

namespace dubito {

class ItemTableModel;

/// The listed items of the active run as a table, in the order of the list. A click on a heading
/// sorts the list; the selected row is the primary item. Rows are set while the table is visible.
class ItemTable : public QTableView {
  Q_OBJECT
 public:
  /// An export has all rows up to this number, else the visible ones.
  static constexpr int kMaxExportedRows = 100'000;

  /// `session` must outlive the table.
  explicit ItemTable(Session& session, QWidget* parent = nullptr);

  /// The listed items, or the visible ones if there are more than kMaxExportedRows.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }

  /// Scrolls to the row; all its columns are selected, so the horizontal position stays.
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

 Q_SIGNALS:
  /// A row was double-clicked, or Enter was pressed on it.
  void itemActivated();
  /// An export failed; `message` is shown to the user.
  void failed(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showItems();
  void showPrimary();
  void showOrder();
  void fitColumns();
  /// First row and one past the last row of an export.
  [[nodiscard]] std::pair<int, int> exportedRows() const;
  [[nodiscard]] QString title() const;

  Session& session_;
  ItemTableModel* model_;
  Exporter* exporter_;
  bool is_following_ = false;  ///< the current row is being set to the primary item
};

}  // namespace dubito
