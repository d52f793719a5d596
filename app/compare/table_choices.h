// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <set>
#include <vector>

#include "core/analysis/comparison.h"
#include "widgets/compare_table_value.h"

class QSettings;

namespace dubito {

/// What the user wants to see of the compared runs: columns that are hidden, which the settings
/// remember, and runs that are hidden or not drawn, until the window closes.
class TableChoices {
 public:
  /// `settings` outlives this object.
  explicit TableChoices(QSettings& settings);

  /// Applies the choices to the table of `runs`.
  void apply(const std::vector<ComparedRun>& runs, CompareTableValue& table) const;
  /// Whether the plots draw this run: it is ticked and not hidden.
  [[nodiscard]] bool isDrawn(const ComparedRun& run) const;

  void setColumnHidden(const QString& name, bool hidden);
  void setHidden(const ComparedRun& run, bool hidden);
  void setTicked(const ComparedRun& run, bool ticked);

 private:
  /// Runs by identity; names and positions change when others are opened.
  using Runs = std::set<std::weak_ptr<const Run>, std::owner_less<>>;
  static void set(Runs& runs, const ComparedRun& run, bool contained);
  [[nodiscard]] static bool contains(const Runs& runs, const ComparedRun& run);

  QSettings& settings_;
  QStringList hidden_columns_;
  Runs hidden_;
  Runs unticked_;
};

}  // namespace dubito
