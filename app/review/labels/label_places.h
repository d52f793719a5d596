// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <map>
#include <memory>

#include "core/data/items/dataset.h"

namespace dubito {

/// Where the labels of datasets are kept: in a store that was opened itself, in the one that a
/// dataset has its labels from (labels:), else in a separate file in the folder that `settings`
/// name as review/folder, else in the user's data folder.
class LabelPlaces {
 public:
  /// `settings` must outlive this.
  explicit LabelPlaces(const QSettings& settings) : settings_(settings) {}

  [[nodiscard]] QString of(const Dataset& dataset) const;
  /// Whether the labels of `dataset` are in a store that was there before a review of it.
  [[nodiscard]] bool isStore(const DatasetPtr& dataset) const;
  /// The labels of `dataset` are in `store`, which was opened itself.
  void choose(const DatasetPtr& dataset, const QString& store) { stores_[dataset] = store; }
  /// Takes choose() back.
  void forget(const DatasetPtr& dataset) { stores_.erase(dataset); }

 private:
  const QSettings& settings_;
  std::map<std::weak_ptr<const Dataset>, QString, std::owner_less<>> stores_;
};

}  // namespace dubito
