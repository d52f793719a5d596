// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/files/open_file.h"

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace dubito {

/// Dialog for typing a dataset specification, KIND:PATH?OPTIONS. Shows an example of every kind.
/// Not modal.
class SpecificationDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SpecificationDialog(QWidget* parent = nullptr);

 Q_SIGNALS:
  void requested(const std::vector<dubito::OpenRequest>& requests);

 private:
  void refresh();

  QLineEdit* text_;
  QCheckBox* ood_;
  QPushButton* open_;
};

}  // namespace dubito
