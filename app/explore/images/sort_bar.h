// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/analysis/item_attributes.h"
#include "core/analysis/item_query.h"

class QComboBox;
class QPushButton;

namespace dubito {

/// Chooses what the items are sorted by, and the direction.
class SortBar : public QWidget {
  Q_OBJECT
 public:
  explicit SortBar(QWidget* parent = nullptr);

  /// Offers the measures and columns of `analysis` (null: none) and the attributes.
  void setChoices(const AnalysisPtr& analysis, const std::vector<AttributeSummary>& attributes);
  /// Shows the order of `query`, without a signal.
  void setOrder(const ItemQuery& query);
  /// `query` in the chosen order.
  [[nodiscard]] ItemQuery ordered(ItemQuery query) const;

 Q_SIGNALS:
  void edited();
  /// The user has chosen an entry of the list.
  void chosen();

 private:
  QComboBox* sort_;
  QPushButton* direction_;
  bool filling_ = false;
};

}  // namespace dubito
