// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

class QFormLayout;
class QToolButton;

namespace dubito {

/// A form built from the fields of an options struct. Editors write into the struct as the user
/// types, so the struct must outlive the form unless clearFields() is called first. Advanced fields
/// come last and are hidden until the user presses a button.
class OptionsForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionsForm(QWidget* parent = nullptr);
  ~OptionsForm() override;

  /// Rebuilds the form for `fields`. Editors show the current values of the struct. Their object
  /// names are the field names, their tooltips the help texts.
  void setFields(std::vector<Field> fields);
  void clearFields();
  /// Reloads the values from the struct after it was changed elsewhere.
  void reload();

  /// Adds a rule that the fields cannot check one by one, such as the syntax of a text. Its error
  /// is shown under the field that it names among its settings, else under the first one. The rule
  /// is called after each change as long as the fields are valid, and forgotten by setFields().
  void setRule(std::function<Status()> rule);

  /// Shows `widget` below field `name`, or below all fields if there is no such field, until
  /// setFields() or clearFields() deletes it. Takes ownership.
  void addBelow(const QString& name, QWidget* widget);

  void setAdvancedShown(bool shown);

  /// Disables field `name` because the option `requirement` is not set; an empty `requirement`
  /// enables the field.
  void setInactive(const QString& name, const QString& requirement);

  /// Ok if all values can be parsed and pass checkFields, else the first error.
  [[nodiscard]] Status check() const;
  /// The error shown under field `name`; empty if the field is valid.
  [[nodiscard]] QString errorText(const QString& name) const;

 Q_SIGNALS:
  /// The user changed field `name`. The struct already has the new value if it can be parsed.
  void edited(const QString& name);
  /// The result of check() changed from ok to error or back.
  void validChanged(bool valid);

 private:
  class Row;
  void rowEdited(Row& row);
  void addRow(Field field);
  /// Shows the error of the rule, if the fields are valid alone.
  void showRule();
  void showAdvanced();

  QFormLayout* layout_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::function<Status()> rule_;  ///< empty: none
  bool valid_ = true;
  QToolButton* advanced_ = nullptr;  ///< shows or hides the advanced rows; null if there are none
  bool advanced_shown_ = false;
};

}  // namespace dubito
