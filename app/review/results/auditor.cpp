// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/results/auditor.h"

#include <utility>

#include "app/session/error_text.h"
#include "core/base/grouped_digits.h"

namespace dubito {
namespace {

/// The sample must be the same whenever it is drawn.
constexpr std::uint64_t kSampleSeed = 0;

QString countOf(std::int64_t count) {
  return QString::fromStdString(groupedDigits(count));
}

QString percentOf(double share) {
  return QStringLiteral("%1 %").arg(QString::number(100.0 * share, 'g', 4));
}

QString verdictText(const Audit& audit, const AuditOptions& options) {
  const QString target = percentOf(options.target);
  if (audit.right + audit.wrong + audit.unclear == audit.labelled) {
    return *audit.precision >= options.target
               ? Auditor::tr("All labels are checked: the guarantee of %1 held.").arg(target)
               : Auditor::tr("All labels are checked: the guarantee of %1 was broken.").arg(target);
  }
  switch (audit.verdict) {
    case GuaranteeVerdict::kKept:
      return Auditor::tr("The guarantee of %1 held.").arg(target);
    case GuaranteeVerdict::kBroken:
      return Auditor::tr("The guarantee of %1 was broken.").arg(target);
    case GuaranteeVerdict::kOpen:
      break;
  }
  const auto needed = rightAnswersNeeded(audit, options);
  return needed ? Auditor::tr(
                      "Not certain yet: %1 more right ones would show that the guarantee of "
                      "%2 held.")
                      .arg(countOf(*needed), target)
                : QString();
}

}  // namespace

QString auditText(const Audit& audit, const AuditOptions& options) {
  if (audit.labelled == 0) {
    return Auditor::tr("No image is labelled automatically yet.");
  }
  if (!audit.precision) {
    return Auditor::tr("None of the %1 automatic labels is checked yet.")
        .arg(countOf(audit.labelled));
  }
  const std::int64_t judged = audit.right + audit.wrong;
  return Auditor::tr(
             "%1 of %2 checked labels are right: %3, and of all its labels probably between %4 "
             "and %5.")
             .arg(countOf(audit.right), countOf(judged), percentOf(*audit.precision),
                  percentOf(audit.interval.low), percentOf(audit.interval.high)) +
         QLatin1Char(' ') + verdictText(audit, options);
}

Auditor::Auditor(ReviewQueue& queue, const LabelFile& file, QObject* parent)
    : QObject(parent), queue_(queue), file_(file), job_(thread_) {
  connect(&file, &LabelFile::recorded, this, &Auditor::follow);
  connect(&file, &LabelFile::stepReverted, this, &Auditor::follow);
  connect(&file, &LabelFile::changed, this, &Auditor::refresh);
  connect(&file, &LabelFile::opened, this, &Auditor::refresh);
  connect(&file, &LabelFile::modelLabelsChanged, this, &Auditor::refresh);
}

Auditor::~Auditor() = default;

void Auditor::refresh() {
  if (!file_.isOpen()) {
    job_.abandon();
    audit_ = {};
    show();
    return;
  }
  job_.submit<Audit>(
      tr("Reading the automatic labels"), JobSettings(),
      [place = file_.place().toStdString(), options = options_](RunContext&) -> Expected<Audit> {
        const auto store = LabelStore::open(place, StoreMode::kReadOnly);
        return store ? auditLabels(**store, options, kSampleSeed) : failWith(store);
      },
      this,
      [this](Expected<Audit> audit) {
        if (audit) {
          audit_ = *std::move(audit);
          follow();  // with what was decided while it was drawn
        } else if (audit.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(audit.error()));
        }
      });
}

void Auditor::setTarget(double target) {
  options_.target = target;
  follow();
}

void Auditor::setSample(std::int64_t sample) {
  options_.sample = sample;
  refresh();
}

void Auditor::open() {
  ItemQueue queue{.key = kAuditQueue,
                  .name = tr("automatic labels").toStdString(),
                  .why = auditText(audit_, options_).toStdString()};
  for (const AuditedItem& audited : audit_.sample) {
    queue.ids.push_back(audited.item);
  }
  queue_.setItems(queue);
}

void Auditor::follow() {
  std::vector<PresentLabel> labels;
  for (const AuditedItem& audited : audit_.sample) {
    if (const PresentLabel* const label = file_.labelOf(audited.item)) {
      labels.push_back(*label);
    }
  }
  audit_ = reassessed(audit_, labels, options_);
  show();
}

void Auditor::show() {
  if (isOpen()) {
    queue_.setText(auditText(audit_, options_).toStdString());
  }
  Q_EMIT changed();
}

}  // namespace dubito
