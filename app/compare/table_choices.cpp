// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/table_choices.h"

#include <QSettings>

namespace dubito {
namespace {

constexpr const char* kHiddenColumns = "compare/hidden_columns";

/// The run of the first seed, with the labels that it was computed with.
std::shared_ptr<const Run> identityOf(const ComparedRun& run) {
  return givenOf(run.seeds.front())->in().run;
}

}  // namespace

TableChoices::TableChoices(QSettings& settings)
    : settings_(settings),
      hidden_columns_(settings.value(QLatin1String(kHiddenColumns)).toStringList()) {}

void TableChoices::apply(const std::vector<ComparedRun>& runs, CompareTableValue& table) const {
  for (CompareTableValue::Column& column : table.columns) {
    column.hidden = hidden_columns_.contains(column.name);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    table.rows[i].hidden = contains(hidden_, runs[i]);
    table.rows[i].drawn = !contains(unticked_, runs[i]);
  }
}

bool TableChoices::isDrawn(const ComparedRun& run) const {
  return !contains(hidden_, run) && !contains(unticked_, run);
}

void TableChoices::setColumnHidden(const QString& name, bool hidden) {
  hidden_columns_.removeAll(name);
  if (hidden) {
    hidden_columns_ << name;
  }
  settings_.setValue(QLatin1String(kHiddenColumns), hidden_columns_);
}

void TableChoices::setHidden(const ComparedRun& run, bool hidden) {
  set(hidden_, run, hidden);
}

void TableChoices::setTicked(const ComparedRun& run, bool ticked) {
  set(unticked_, run, !ticked);
}

void TableChoices::set(Runs& runs, const ComparedRun& run, bool contained) {
  if (contained) {
    runs.insert(identityOf(run));
  } else {
    runs.erase(identityOf(run));
  }
}

bool TableChoices::contains(const Runs& runs, const ComparedRun& run) {
  return runs.contains(identityOf(run));
}

}  // namespace dubito
