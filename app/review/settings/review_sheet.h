// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>
#include <optional>

class QLineEdit;
class QTabWidget;

namespace dubito {

class ReviewClassEditor;
class ReviewKeyList;
class ReviewPlace;
class Reviewer;

/// How a person reviews: the keys, the classes, and their name. Not modal.
class ReviewSheet : public QDialog {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the dialog, `page` is its parent.
  ReviewSheet(Reviewer& reviewer, QWidget* page);

  void showKeys();
  /// Shows the classes, with one of them selected.
  void showClasses(std::optional<std::int64_t> class_id);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* makePerson();
  void showTab(QWidget* tab);

  Reviewer& reviewer_;
  QTabWidget* tabs_;
  ReviewKeyList* keys_;
  ReviewClassEditor* classes_;
  ReviewPlace* place_ = nullptr;
  QLineEdit* annotator_ = nullptr;
};

}  // namespace dubito
