// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/progress_strip.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kWindowSeconds = 5.0;
constexpr double kMinSeconds = 0.2;
constexpr int kBarSteps = 1000;

double secondsNow() {
  static const QElapsedTimer timer = [] {
    QElapsedTimer started;
    started.start();
    return started;
  }();
  return static_cast<double>(timer.nsecsElapsed()) * 1e-9;
}

}  // namespace

void ProgressEstimate::update(const Progress& progress, double seconds) {
  const bool another_total = progress.stage != stage_ && progress.total != total_;
  if (another_total || (!reports_.empty() && progress.done < reports_.back().done)) {
    reports_.clear();
  }
  stage_ = progress.stage;
  total_ = progress.total;
  reports_.push_back({seconds, progress.done});
  // Keep one report older than the window, so that slow batches still give a rate.
  while (reports_.size() > 2 && seconds - reports_[1].seconds > kWindowSeconds) {
    reports_.pop_front();
  }
}

double ProgressEstimate::rate() const {
  if (reports_.size() < 2) {
    return 0.0;
  }
  const double seconds = reports_.back().seconds - reports_.front().seconds;
  if (seconds < kMinSeconds) {
    return 0.0;
  }
  return static_cast<double>(reports_.back().done - reports_.front().done) / seconds;
}

double ProgressEstimate::remaining() const {
  const double per_second = rate();
  if (per_second <= 0.0 || total_ <= 0) {
    return -1.0;
  }
  return static_cast<double>(std::max<std::int64_t>(total_ - reports_.back().done, 0)) / per_second;
}

QString rateText(double items_per_second) {
  if (!(items_per_second > 0.0)) {
    return {};
  }
  QString digits;
  if (items_per_second < 10.0) {
    digits = QString::number(items_per_second, 'g', 2);
  } else {
    const double magnitude =
        std::pow(10.0, std::max(0.0, std::floor(std::log10(items_per_second)) - 2.0));
    digits = countText(std::llround(items_per_second / magnitude) * std::llround(magnitude));
  }
  return ProgressStrip::tr("%1 items/s").arg(digits);
}

QString remainingText(double seconds) {
  if (seconds < 0.0) {
    return {};
  }
  const auto whole = static_cast<qint64>(std::ceil(seconds));
  const QChar zero = u'0';
  const QString text = whole >= 3600
                           ? QStringLiteral("%1:%2:%3")
                                 .arg(whole / 3600)
                                 .arg(whole / 60 % 60, 2, 10, zero)
                                 .arg(whole % 60, 2, 10, zero)
                           : QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, zero);
  return ProgressStrip::tr("%1 left").arg(text);
}

ProgressStrip::ProgressStrip(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      detail_(new QLabel(this)),
      cancel_(new QPushButton(tr("Cancel"), this)),
      info_(new QLabel(this)) {
  setObjectName(QStringLiteral("progressStrip"));
  title_->setObjectName(QStringLiteral("progressTitle"));
  bar_->setObjectName(QStringLiteral("progressBar"));
  bar_->setAccessibleName(tr("progress"));
  bar_->setTextVisible(false);
  bar_->setFixedWidth(220);
  detail_->setObjectName(QStringLiteral("progressDetail"));
  cancel_->setObjectName(QStringLiteral("progressCancel"));
  cancel_->setProperty("role", "quiet");
  info_->setObjectName(QStringLiteral("progressInfo"));
  for (QLabel* label : {title_, detail_}) {
    label->setFont(uiFont(TypeSize::kSmall));
    label->setTextFormat(Qt::PlainText);
  }
  info_->setProperty("role", "muted");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, kGrid, 3 * kGrid, kGrid);
  layout->setSpacing(3 * kGrid);
  layout->addWidget(title_);
  layout->addWidget(bar_, 0, Qt::AlignVCenter);
  layout->addWidget(detail_);
  layout->addWidget(cancel_);
  layout->addStretch(1);
  layout->addWidget(info_);
  // Keep the height when the button appears and disappears.
  setMinimumHeight(8 * kGrid);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    cancel_->setEnabled(false);
    Q_EMIT cancelRequested();
  });
  finish({});
}

void ProgressStrip::start(const QString& title, bool counts_items) {
  running_ = true;
  counts_items_ = counts_items;
  title_text_ = title;
  estimate_ = {};
  title_->setText(title);
  detail_->clear();
  bar_->setRange(0, 0);
  bar_->show();
  detail_->show();
  cancel_->setEnabled(true);
  cancel_->show();
}

void ProgressStrip::setProgress(const Progress& progress) {
  if (!running_) {
    return;
  }
  estimate_.update(progress, secondsNow());
  const QString stage = QString::fromStdString(progress.stage);
  title_->setText(stage.isEmpty() ? title_text_ : title_text_ + QStringLiteral(" · ") + stage);
  QStringList parts;
  const bool has_begun = progress.total > 0 && progress.done > 0;
  if (has_begun) {
    const double share = std::clamp(
        static_cast<double>(progress.done) / static_cast<double>(progress.total), 0.0, 1.0);
    bar_->setRange(0, kBarSteps);
    bar_->setValue(static_cast<int>(std::lround(share * kBarSteps)));
    parts << QStringLiteral("%1 %").arg(static_cast<int>(std::floor(share * 100.0)));
  } else {
    // The first batch of a large network takes long: the bar moves, and no "0 %" looks stuck.
    bar_->setRange(0, 0);
    if (progress.total > 0 && counts_items_) {
      parts << countedText(progress.total, tr("0 of %1 item"), tr("0 of %1 items"));
    }
  }
  const QString rate = counts_items_ ? rateText(estimate_.rate()) : QString();
  for (const QString& part : {rate, remainingText(estimate_.remaining())}) {
    if (!part.isEmpty()) {
      parts << part;
    }
  }
  detail_->setText(parts.join(QStringLiteral("   ")));
}

void ProgressStrip::finish(const QString& text) {
  running_ = false;
  title_->setText(text);
  bar_->hide();
  detail_->hide();
  cancel_->hide();
}

void ProgressStrip::setInfo(const QString& text) {
  info_->setText(text);
}

}  // namespace dubito
