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

/// A form made from the fields of an options struct. The editors write into the struct as the user
/// types, so the struct must outlive the form or clearFields() be called before it goes. Advanced
/// fields come last and are folded away until a button shows them.
class OptionsForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionsForm(QWidget* parent = nullptr);
  ~OptionsForm() override;

  /// Replaces the form. Editors take the present values of the struct and are named after the
  /// fields; help becomes tooltips.
  void setFields(std::vector<Field> fields);
  void clearFields();
  /// Reads the struct again after something else changed it.
  void reload();

  void setAdvancedShown(bool shown);

  /// Greys out field `name`, which has an effect only with what `without` names; empty: it has one.
  void setIdle(const QString& name, const QString& without);

  /// Everything in the form can be used: nothing fails to parse, and checkFields is content.
  [[nodiscard]] Status check() const;
  /// The line of text shown under field `name`; empty where it is fine.
  [[nodiscard]] QString errorText(const QString& name) const;

 Q_SIGNALS:
  /// The user changed field `name`; the struct holds the new value unless it does not parse.
  void edited(const QString& name);
  /// check() went from bad to good or back.
  void validChanged(bool valid);

 private:
  class Row;
  void rowEdited(Row& row);
  void addRow(Field field);
  void showAdvanced();

  QFormLayout* layout_;
  std::vector<std::unique_ptr<Row>> rows_;
  bool valid_ = true;
  QToolButton* advanced_ = nullptr;  ///< unfolds the advanced rows; null if there is none
  bool advanced_shown_ = false;
};

}  // namespace dubito
