// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/analysis/item_attributes.h"
#include "core/analysis/item_query.h"

class QComboBox;
class QLabel;

namespace dubito {

class NumberBox;

/// Filters items by an attribute of their dataset: one value or a numeric range. Hidden if the
/// dataset has no attributes.
class AttributeBar : public QWidget {
  Q_OBJECT
 public:
  explicit AttributeBar(QWidget* parent = nullptr);

  void setAttributes(std::vector<AttributeSummary> attributes);
  [[nodiscard]] bool hasAttributes() const { return !attributes_.empty(); }
  /// Shows `filter`; nullopt keeps the chosen attribute but accepts all of its values.
  void setFilter(const std::optional<AttributeFilter>& filter);
  /// The filter entered by the user; nullopt if it accepts all items.
  [[nodiscard]] std::optional<AttributeFilter> filter() const;

 Q_SIGNALS:
  /// The user changed the filter.
  void edited();

 private:
  [[nodiscard]] const AttributeSummary* chosen() const;
  void showAttribute();

  std::vector<AttributeSummary> attributes_;
  QComboBox* name_;
  QComboBox* value_;
  NumberBox* low_;
  QLabel* to_;
  NumberBox* high_;
  bool filling_ = false;
};

}  // namespace dubito
