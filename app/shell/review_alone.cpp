// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/review_alone.h"

#include <QAction>
#include <QSettings>

#include "app/review/review_page.h"
#include "app/shell/file_drop.h"
#include "app/shell/header_bar.h"
#include "app/shell/window_body.h"

namespace dubito {
namespace {

constexpr const char* kSetting = "window/reviewAlone";

}  // namespace

ReviewAlone::ReviewAlone(const Parts& parts, QSettings& settings, QObject* parent)
    : QObject(parent), parts_(parts), settings_(settings) {
  action_ = new QAction(tr("Review only"), this);
  action_->setObjectName(QStringLiteral("reviewAlone"));
  action_->setToolTip(tr("Shows the page Review alone, with more room for the images"));
  action_->setCheckable(true);
  connect(action_, &QAction::triggered, this, [this](bool on) {
    settings_.setValue(QLatin1String(kSetting), on);
    show(on);
  });
}

void ReviewAlone::show(bool on) {
  action_->setChecked(on);
  if (on_ == on) {
    return;
  }
  on_ = on;
  if (on) {
    parts_.header.showAlone(parts_.page.takeModes());
    parts_.page.showTakenModes();
  } else {
    parts_.header.endAlone();
    parts_.page.returnModes();
  }
  parts_.drop.setPrefersLabels(on);
  for (QAction* const command : parts_.hidden_commands) {
    command->setEnabled(!on);
  }
  Q_EMIT changed(on);
}

bool ReviewAlone::isRemembered(const QSettings& settings) {
  return settings.value(QLatin1String(kSetting), false).toBool();
}

}  // namespace dubito
