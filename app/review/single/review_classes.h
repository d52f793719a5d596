// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/labels/label_class.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace dubito {

class Reviewer;
class ReviewExamples;

/// The classes that the item under review can be labelled with: their keys, and how probable the
/// network finds them. They are listed by probability or in their own order, which a hidden
/// suggestion always is; a key chooses the same class in both. A search finds classes by name and
/// adds new ones.
class ReviewClasses : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewClasses(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
  void startSearch();
  /// The class that a key chooses; nothing if it is the key of no class.
  [[nodiscard]] std::optional<std::int64_t> classOfKey(const QString& key) const;
  /// Shows the keys anew.
  void showKeys();

 Q_SIGNALS:
  /// The keyboard belongs to the image again.
  void finished();
  /// The classes are to be edited, this one first.
  void editRequested(std::optional<std::int64_t> class_id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void showClassMenu(const QPoint& position);
  /// Chooses the first class that the search shows. Without one, asks whether to add a class of
  /// that name; the second call adds it.
  void takeSearch();
  void endSearch();
  /// Shows how a class is recognised, with its examples; -1: nothing.
  void showGuideline(std::int64_t class_id);

  Reviewer& reviewer_;
  QLineEdit* search_;
  QLabel* question_;
  QTreeWidget* classes_;
  QLabel* guideline_;
  ReviewExamples* examples_;
  QComboBox* order_;
};

}  // namespace dubito
