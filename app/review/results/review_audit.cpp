// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/results/review_audit.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/review/automatic/review_automatic_values.h"
#include "app/review/results/auditor.h"
#include "widgets/key_value_list.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kAuditSample = 100;
constexpr int kLargestAudit = 100'000;

}  // namespace

ReviewAudit::ReviewAudit(Auditor& auditor, QWidget* parent) : QWidget(parent), auditor_(auditor) {
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("reviewAuditText"));
  text_->setToolTip(tr("Exact interval (Clopper and Pearson) with %1 % confidence")
                        .arg(qRound(100.0 * auditor_.options().confidence)));
  numbers_ = new KeyValueList(this);
  numbers_->setObjectName(QStringLiteral("reviewAuditNumbers"));
  auto* const size_name = new QLabel(tr("Images"), this);
  size_name->setToolTip(tr("Images to check"));
  size_ = new QSpinBox(this);
  size_->setObjectName(QStringLiteral("reviewAuditSize"));
  size_->setAccessibleName(size_name->toolTip());
  size_->setRange(1, kLargestAudit);
  size_->setValue(kAuditSample);
  size_name->setBuddy(size_);
  open_ = new QPushButton(this);
  open_->setObjectName(QStringLiteral("reviewAuditOpen"));
  open_->setToolTip(tr("Opens One by one with the automatic labels in random order"));
  auto* const line = new QHBoxLayout;
  line->setSpacing(2 * kGrid);
  line->addWidget(open_);
  line->addWidget(size_name);
  line->addWidget(size_);
  line->addStretch(1);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_);
  layout->addWidget(numbers_);
  layout->addSpacing(kGrid);
  layout->addLayout(line);
  layout->addStretch(1);
  connect(&auditor_, &Auditor::changed, this, &ReviewAudit::showAudit);
  connect(size_, &QSpinBox::valueChanged, this, [this](int size) { auditor_.setSample(size); });
  connect(open_, &QPushButton::clicked, this, [this] {
    auditor_.open();
    Q_EMIT opened();
  });
}

void ReviewAudit::showAudit() {
  const Audit& audit = auditor_.audit();
  const AuditOptions& options = auditor_.options();
  QString text = auditText(audit, options);
  const auto needed = rightAnswersNeeded(audit, options);
  if (audit.labelled > 0 && !audit.precision && needed) {
    text += QLatin1Char(' ') +
            tr("At least %1 must be checked to show that %2 are right.")
                .arg(countText(std::min(*needed, audit.labelled)), percentText(options.target));
  }
  text_->setText(text);
  std::vector<KeyValue> values;
  if (audit.labelled > 0) {
    values = {{tr("right"), countText(audit.right), {}, {}},
              {tr("wrong"), countText(audit.wrong), {}, {}},
              {tr("can't tell"),
               countText(audit.unclear),
               {},
               tr("They count neither as right nor as wrong")},
              {tr("still to check"), countText(audit.open), {}, {}}};
  }
  if (audit.precision) {
    values.push_back({tr("share of right labels"),
                      shareText(*audit.precision),
                      {},
                      exactText(*audit.precision)});
    values.push_back(
        {tr("of all automatic labels, probably"),
         tr("%1 to %2").arg(shareText(audit.interval.low), shareText(audit.interval.high)),
         {},
         tr("Exact interval (Clopper and Pearson) with %1 % confidence")
             .arg(qRound(100.0 * options.confidence))});
  }
  numbers_->setValues(std::move(values));
  const auto size = static_cast<std::int64_t>(audit.sample.size());
  open_->setEnabled(audit.open > 0);
  open_->setText(
      audit.open == size || audit.open == 0
          ? tr("Check a random sample of %1").arg(countText(size > 0 ? size : options.sample))
          : tr("Check %1 more").arg(countText(audit.open)));
}

}  // namespace dubito
