// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/ood_list.h"

#include <QCheckBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/words/words.h"
#include "widgets/theme.h"

namespace dubito {

OodList::OodList(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(kGrid);
  connect(&session_, &Session::workspaceChanged, this, &OodList::refresh);
  refresh();
}

void OodList::refresh() {
  const std::vector<DatasetEntry> sets = session_.oodDatasets();
  if (std::ranges::equal(sets, entries_, {}, &DatasetEntry::dataset, &Entry::dataset)) {
    return;
  }
  const std::vector<DatasetPtr> left_out = excluded();
  for (const Entry& entry : entries_) {
    delete entry.box;
  }
  entries_.clear();
  for (const DatasetEntry& set : sets) {
    auto* const box = new QCheckBox(this);
    box->setObjectName(QStringLiteral("ood%1").arg(entries_.size()));
    box->setText(tr("%1 · %2").arg(set.name, countText(set.dataset->size())));
    box->setChecked(std::ranges::find(left_out, set.dataset) == left_out.end());
    layout_->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &OodList::edited);
    entries_.push_back({set.dataset, box});
  }
  Q_EMIT edited();
}

std::vector<DatasetPtr> OodList::excluded() const {
  std::vector<DatasetPtr> sets;
  for (const Entry& entry : entries_) {
    if (!entry.box->isChecked()) {
      sets.push_back(entry.dataset);
    }
  }
  return sets;
}

}  // namespace dubito
