// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

class QFormLayout;
class QToolButton;

namespace dubito {

/// A form built from the fields of an options struct. Editors write into the struct as the user
/// types, so the struct must outlive the form, or clearFields() be called first. Advanced fields
/// come last and are collapsed until a button shows them.
class OptionsForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionsForm(QWidget* parent = nullptr);
  ~OptionsForm() override;

  /// Replaces the form. Editors show the current values of the struct and are named after the
  /// fields; help texts become tooltips.
  void setFields(std::vector<Field> fields);
  void clearFields();
  /// Reloads the values after the struct was changed elsewhere.
  void reload();

  void setAdvancedShown(bool shown);

  /// Disables field `name`, which requires the option named by `without`; empty: enables it.
  void setInactive(const QString& name, const QString& without);

  /// Ok if every value parses and passes checkFields.
  [[nodiscard]] Status check() const;
  /// The error shown under field `name`; empty if it is valid.
  [[nodiscard]] QString errorText(const QString& name) const;

 Q_SIGNALS:
  /// The user changed field `name`; the struct has the new value unless it does not parse.
  void edited(const QString& name);
  /// The result of check() changed between valid and invalid.
  void validChanged(bool valid);

 private:
  class Row;
  void rowEdited(Row& row);
  void addRow(Field field);
  void showAdvanced();

  QFormLayout* layout_;
  std::vector<std::unique_ptr<Row>> rows_;
  bool valid_ = true;
  QToolButton* advanced_ = nullptr;  ///< shows or hides the advanced rows; null if there are none
  bool advanced_shown_ = false;
};

}  // namespace dubito
