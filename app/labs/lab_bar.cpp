// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_bar.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <limits>

#include "app/labs/lab_player.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSeedWidth = 22 * kGrid;  // of the six digits that people use

}  // namespace

LabBar::LabBar(QWidget* parent) : QWidget(parent) {
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
  reset_ = addButton(tr("Reset"), "labReset", tr("Start again from the seed"));
  auto* const speed_label = new QLabel(tr("Speed"), this);
  speed_ = new QComboBox(this);
  speed_->setObjectName(QStringLiteral("labSpeed"));
  speed_->setAccessibleName(tr("Speed"));
  setSpeeds(playbackSpeeds());
  auto* const seed_label = new QLabel(tr("Seed"), this);
  seed_ = new QSpinBox(this);
  seed_->setObjectName(QStringLiteral("labSeed"));
  seed_->setAccessibleName(tr("Seed"));
  seed_->setToolTip(tr("Decides all random numbers: the same seed gives the same picture"));
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setFixedWidth(kSeedWidth);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("labStatus"));
  status_->setProperty("role", QStringLiteral("muted"));
  for (QWidget* const widget :
       std::initializer_list<QWidget*>{speed_label, speed_, seed_label, seed_}) {
    layout->addWidget(widget);
  }
  layout->addWidget(status_);
  connect(play_, &QPushButton::clicked, this,
          [this] { playing_ ? Q_EMIT pauseRequested() : Q_EMIT playRequested(); });
  connect(step_, &QPushButton::clicked, this, &LabBar::stepRequested);
  connect(reset_, &QPushButton::clicked, this, &LabBar::resetRequested);
  connect(speed_, &QComboBox::activated, this, &LabBar::speedChanged);
  connect(seed_, &QSpinBox::valueChanged, this,
          [this](int seed) { Q_EMIT seedChanged(static_cast<std::uint64_t>(seed)); });
}

void LabBar::showState(const LabPlayer& runner, const StateTexts& texts) {
  const bool can_play = !runner.isFinished() && texts.stopped.isEmpty();
  playing_ = runner.isPlaying() && can_play;
  play_->setText(playing_ ? tr("Pause") : tr("Play"));
  play_->setEnabled(can_play);
  step_->setEnabled(can_play);
  status_->setText(!texts.stopped.isEmpty()    ? texts.stopped
                   : runner.isFinished()       ? texts.finished
                   : !texts.progress.isEmpty() ? texts.progress
                   : !runner.isPlaying()       ? tr("Paused")
                   : !texts.working.isEmpty()  ? texts.working
                                               : tr("Working"));
  const QSignalBlocker blocker(seed_);
  seed_->setValue(static_cast<int>(runner.seed()));
}

void LabBar::setSpeeds(const std::vector<PlaybackSpeed>& speeds) {
  speed_->clear();
  for (const PlaybackSpeed& speed : speeds) {
    speed_->addItem(QCoreApplication::translate("Labs", speed.name));
    speed_->setItemData(speed_->count() - 1, QCoreApplication::translate("Labs", speed.explanation),
                        Qt::ToolTipRole);
  }
  speed_->setCurrentIndex(kNormalSpeed);
}

void LabBar::control(LabPlayer& runner) {
  setSpeeds(runner.speeds());
  connect(this, &LabBar::playRequested, &runner, &LabPlayer::play);
  connect(this, &LabBar::pauseRequested, &runner, &LabPlayer::pause);
  connect(this, &LabBar::stepRequested, &runner, &LabPlayer::step);
  connect(this, &LabBar::speedChanged, &runner, &LabPlayer::setSpeed);
}

}  // namespace dubito
