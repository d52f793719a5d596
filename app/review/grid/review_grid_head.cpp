// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_grid_head.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>

#include "app/review/labels/class_pages.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSmallestTile = 40;
constexpr int kLargestTile = 320;
constexpr int kUsualTile = 88;
constexpr const char* kTileSizeKey = "review/tileSize";

}  // namespace

ReviewGridHead::ReviewGridHead(ClassPages& pages, QSettings& settings, QWidget* parent)
    : QWidget(parent), pages_(pages) {
  classes_ = new QComboBox(this);
  classes_->setObjectName(QStringLiteral("reviewGridClass"));
  classes_->setAccessibleName(tr("Suggested class"));
  classes_->setToolTip(tr("Images for which this class is suggested"));
  classes_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  classes_->setFocusPolicy(Qt::TabFocus);
  hint_ = new QLabel(this);
  hint_->setObjectName(QStringLiteral("reviewGridHint"));
  hint_->setFont(uiFont(TypeSize::kTitle));
  auto* const size_name = new QLabel(tr("Size"), this);
  size_name->setProperty("role", QStringLiteral("muted"));
  size_ = new QSlider(Qt::Horizontal, this);
  size_->setObjectName(QStringLiteral("reviewGridSize"));
  size_->setAccessibleName(tr("Size of the images"));
  size_->setRange(kSmallestTile, kLargestTile);
  size_->setValue(settings.value(QLatin1String(kTileSizeKey), kUsualTile).toInt());
  size_->setFixedWidth(30 * kGrid);
  size_->setFocusPolicy(Qt::TabFocus);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(classes_);
  layout->addWidget(hint_, 1);
  layout->addWidget(size_name);
  layout->addWidget(size_);
  connect(classes_, &QComboBox::activated, this, [this] {
    pages_.showClass(classes_->currentIndex());
    Q_EMIT finished();
  });
  connect(size_, &QSlider::valueChanged, this, [this, &settings](int side) {
    settings.setValue(QLatin1String(kTileSizeKey), side);
    Q_EMIT tileSizeChanged(side);
  });
  connect(size_, &QSlider::sliderReleased, this, &ReviewGridHead::finished);
}

int ReviewGridHead::tileSize() const {
  return size_->value();
}

void ReviewGridHead::setHint(const QString& text) {
  hint_->setVisible(!text.isEmpty());
  hint_->setText(text);
}

void ReviewGridHead::showCounts() {
  const QSignalBlocker blocker(classes_);
  const auto count = pages_.ready() ? static_cast<int>(pages_.lists().classCount()) : 0;
  while (classes_->count() > count) {
    classes_->removeItem(count);
  }
  for (int k = 0; k < count; ++k) {
    const QString text =
        tr("%1 (%2 left)").arg(pages_.nameOf(k), countText(pages_.lists().undecidedCount(k)));
    if (k == classes_->count()) {
      classes_->addItem(text);
    } else if (classes_->itemText(k) != text) {
      classes_->setItemText(k, text);
    }
  }
  classes_->setCurrentIndex(static_cast<int>(pages_.shownClass()));
}

}  // namespace dubito
