// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/labels/label_class.h"

class QLineEdit;
class QTreeWidget;

namespace dubito {

class Reviewer;

/// The keys that choose classes, by class; empty if a class has none. Merged classes are left out.
[[nodiscard]] std::vector<std::pair<std::int64_t, QString>> classKeys(
    const std::vector<LabelClass>& classes);

/// The classes that the item under review can be labelled with: their keys, and how probable the
/// network finds them. A search finds classes by name and adds new ones.
class ReviewClasses : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewClasses(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();
  void startSearch();
  /// The class that a key chooses; nothing if it is the key of no class.
  [[nodiscard]] std::optional<std::int64_t> classOfKey(const QString& key) const;

 Q_SIGNALS:
  /// The keyboard belongs to the image again.
  void finished();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  /// Chooses the first class that the search shows, or adds a class of that name.
  void takeSearch();
  void endSearch();

  Reviewer& reviewer_;
  QLineEdit* search_;
  QTreeWidget* classes_;
};

}  // namespace dubito
