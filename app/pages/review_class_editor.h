// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/labels/label_class.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace dubito {

class Reviewer;

/// Names, keys and colours of the classes; merges them and adds new ones. Every change is a step of
/// the label file and can be undone.
class ReviewClassEditor : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewClassEditor(Reviewer& reviewer, QWidget* parent = nullptr);

  /// Shows the classes anew. What is being typed is lost only if they changed.
  void refresh();
  /// Selects the class to edit.
  void choose(std::int64_t class_id);

 private:
  [[nodiscard]] QWidget* makeForm();
  /// The class selected, as in the file; nullptr if there is none.
  [[nodiscard]] const LabelClass* chosen() const;
  void showChosen();
  void save();
  void askColour();
  void merge();
  void addClass();
  void say(const QString& text, bool is_error);

  Reviewer& reviewer_;
  QStringList shown_;  ///< what the list shows of the classes
  QTreeWidget* list_;
  QWidget* form_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLineEdit* key_ = nullptr;
  QPushButton* colour_ = nullptr;
  QComboBox* into_ = nullptr;
  QPushButton* merge_ = nullptr;
  QLineEdit* new_name_ = nullptr;
  QLabel* message_;
};

}  // namespace dubito
