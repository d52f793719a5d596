// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/labels/label_class.h"

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace dubito {

class Reviewer;
struct ClassListChanges;

/// Names, keys and colours of the classes; merges them and adds new ones. Every change is a step of
/// the label file and can be undone.
class ReviewClassEditor : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewClassEditor(Reviewer& reviewer, QWidget* parent = nullptr);

  /// Shows the classes anew: the same class stays selected where it is, with what is being typed.
  void refresh();
  /// Selects the class to edit.
  void choose(std::int64_t class_id);
  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 private:
  /// The classes, and the row that adds one.
  [[nodiscard]] QLayout* makeList();
  [[nodiscard]] QWidget* makeForm();
  /// The message, and what concerns all classes.
  [[nodiscard]] QLayout* makeFoot();
  void connectParts();
  /// The class selected, as in the file; nullptr if there is none.
  [[nodiscard]] const LabelClass* chosen() const;
  void showChosen();
  /// Shows the stored text of the class, unless something else is being typed.
  void showGuideline();
  void saveGuideline(std::int64_t class_id);
  /// Stores what was typed about the class; false: it is refused.
  bool save();
  /// Stores it and goes to the next class, in the same field.
  void saveAndGoOn(QLineEdit& field);
  void askColour();
  void merge();
  void addClass();
  /// Lists of classes as files, without labels.
  void openList();
  void saveList();
  void showTakenList(const QString& path, const ClassListChanges& changes);
  void say(const QString& text, bool is_error);

  Reviewer& reviewer_;
  QStringList shown_;  ///< what the list shows of the classes
  QTreeWidget* list_;
  QWidget* form_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLineEdit* key_ = nullptr;
  QPushButton* colour_ = nullptr;
  QPlainTextEdit* guideline_ = nullptr;
  QComboBox* into_ = nullptr;
  QPushButton* merge_ = nullptr;
  QLineEdit* new_name_ = nullptr;
  QLabel* message_;
  QString next_file_name_;
};

}  // namespace dubito
