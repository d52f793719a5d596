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

/// Chooses items by an attribute of their dataset: by one of its values, or by a range of numbers.
/// Hidden where there are no attributes.
class AttributeBar : public QWidget {
  Q_OBJECT
 public:
  explicit AttributeBar(QWidget* parent = nullptr);

  void setAttributes(std::vector<AttributeSummary> attributes);
  [[nodiscard]] bool hasAttributes() const { return !attributes_.empty(); }
  /// Shows a filter; none keeps the chosen attribute and shows all of it.
  void setFilter(const std::optional<AttributeFilter>& filter);
  /// What is chosen; nothing where every item is meant.
  [[nodiscard]] std::optional<AttributeFilter> filter() const;

 Q_SIGNALS:
  /// A person chose something else.
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
