// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <limits>

#include "app/labs/lab_player.h"
#include "app/labs/lab_values.h"
#include "widgets/flow_layout.h"
#include "widgets/text_width.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSeedWidth = 22 * kGrid;  // of the six digits that people use

}  // namespace

LabBar::LabBar(LabPlayer& runner, QWidget* parent) : QWidget(parent), runner_(runner) {
  setObjectName(QStringLiteral("labBar"));
  // What is too long for the line, mostly a status, gets a line of its own.
  auto* const layout = new FlowLayout(this, 2 * kGrid);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto addButton = [&](const QString& text, const char* name, const QString& tip) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    layout->addWidget(button);
    return button;
  };
  play_ = addButton(tr("Pause"), "labPlay", tr("Let the laboratory work, or stop it for a while"));
  play_->setProperty("role", QStringLiteral("primary"));
  // Wide enough for both of its texts.
  play_->setMinimumWidth(play_->fontMetrics().horizontalAdvance(tr("Pause")) + 12 * kGrid);
  step_ = addButton(tr("Step"), "labStep", tr("Do one unit of work"));
  auto* const reset = addButton(tr("Reset"), "labReset", tr("Start again from the seed"));
  auto* const speed_label = new QLabel(tr("Speed"), this);
  auto* const speeds = new QComboBox(this);
  speeds->setObjectName(QStringLiteral("labSpeed"));
  speeds->setAccessibleName(tr("Speed"));
  for (const PlaybackSpeed& speed : runner.speeds()) {
    speeds->addItem(labText(speed.name));
    speeds->setItemData(speeds->count() - 1, labText(speed.explanation), Qt::ToolTipRole);
  }
  speeds->setCurrentIndex(kNormalSpeed);
  auto* const seed_label = new QLabel(tr("Seed"), this);
  seed_ = new QSpinBox(this);
  seed_->setObjectName(QStringLiteral("labSeed"));
  seed_->setAccessibleName(tr("Seed"));
  seed_->setToolTip(tr("Decides all random numbers: the same seed gives the same picture"));
  seed_->setRange(0, std::numeric_limits<int>::max());
  setTextWidth(*seed_, kSeedWidth);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("labStatus"));
  status_->setProperty("role", QStringLiteral("muted"));
  for (QWidget* const widget :
       std::initializer_list<QWidget*>{speed_label, speeds, seed_label, seed_, status_}) {
    layout->addWidget(widget);
  }
  connect(play_, &QPushButton::clicked, this,
          [this] { playing_ ? runner_.pause() : runner_.play(); });
  connect(step_, &QPushButton::clicked, &runner, &LabPlayer::step);
  connect(reset, &QPushButton::clicked, this, &LabBar::resetRequested);
  connect(speeds, &QComboBox::activated, &runner, &LabPlayer::setSpeed);
  connect(seed_, &QSpinBox::valueChanged, this,
          [this](int seed) { Q_EMIT seedChanged(static_cast<std::uint64_t>(seed)); });
}

void LabBar::showState(const StateTexts& texts) {
  const bool can_play = !runner_.isFinished() && texts.stopped.isEmpty();
  playing_ = runner_.isPlaying() && can_play;
  play_->setText(playing_ ? tr("Pause") : tr("Play"));
  play_->setEnabled(can_play);
  step_->setEnabled(can_play);
  status_->setText(!texts.stopped.isEmpty()    ? texts.stopped
                   : runner_.isFinished()      ? texts.finished
                   : !texts.progress.isEmpty() ? texts.progress
                   : !runner_.isPlaying()      ? tr("Paused")
                   : !texts.working.isEmpty()  ? texts.working
                                               : tr("Working"));
  const QSignalBlocker blocker(seed_);
  seed_->setValue(static_cast<int>(runner_.seed()));
}

}  // namespace dubito
