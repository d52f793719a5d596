// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/site_list.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

SiteList::SiteList(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(kGrid);
}

void SiteList::setSites(const std::vector<DropoutSite>& sites) {
  while (QLayoutItem* const item = layout_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  entries_.clear();
  for (const DropoutSite& site : sites) {
    auto* const box = new QCheckBox(this);
    box->setObjectName(QStringLiteral("site%1").arg(site.site));
    box->setText(tr("%1 · %2 · %3")
                     .arg(QString::fromStdString(site.name))
                     .arg(QString::fromStdString(dropRateText(site)))
                     .arg(QString::fromStdString(site.place)));
    box->setToolTip(
        tr("%1, %2").arg(QString::fromStdString(site.op), QString::fromStdString(site.mode)));
    const bool usable = site.refused.empty();
    const bool on = usable && site.off.empty();
    box->setChecked(on);
    box->setEnabled(usable);
    layout_->addWidget(box);
    if (usable) {
      if (!on) {
        box->setToolTip(tr("%1: %2").arg(box->toolTip(), QString::fromStdString(site.off)));
      }
      entries_.push_back({site.site, on, box});
      connect(box, &QCheckBox::toggled, this, &SiteList::edited);
    } else {
      box->setToolTip(QString::fromStdString(site.refused));
    }
  }
  if (sites.empty()) {
    layout_->addWidget(makeMutedLabel(
        {}, this,
        tr("This model has no dropout. MC dropout inserts a site before the last linear "
           "layer. The model was not trained with it, so accuracy drops and confidence "
           "is no longer calibrated. Use MAP softmax or Laplace instead.")));
  }
}

std::vector<std::int64_t> SiteList::chosen() const {
  std::vector<std::int64_t> sites;
  bool is_default = true;
  for (const Entry& entry : entries_) {
    if (entry.box->isChecked()) {
      sites.push_back(entry.site);
    }
    is_default = is_default && entry.box->isChecked() == entry.on_by_default;
  }
  return is_default ? std::vector<std::int64_t>() : sites;
}

bool SiteList::valid() const {
  return std::ranges::none_of(entries_, &Entry::on_by_default) ||
         std::ranges::any_of(entries_, [](const Entry& entry) { return entry.box->isChecked(); });
}

}  // namespace dubito
