// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/drop_target.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kIconSide = 72;
constexpr int kInset = 4 * kGrid;

/// An arrow into a tray.
void paintIcon(QPainter& painter, const QRectF& area, const QColor& color) {
  QPen pen(color, 3.0);
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setPen(pen);
  const auto at = [&](double x, double y) {
    return QPointF(area.left() + x * area.width(), area.top() + y * area.height());
  };
  painter.drawPolyline(QPolygonF{{at(0.1, 0.6), at(0.1, 0.9), at(0.9, 0.9), at(0.9, 0.6)}});
  painter.drawLine(at(0.5, 0.05), at(0.5, 0.65));
  painter.drawPolyline(QPolygonF{{at(0.3, 0.45), at(0.5, 0.65), at(0.7, 0.45)}});
}

}  // namespace

QStringList droppedPaths(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) {
      paths << url.toLocalFile();
    }
  }
  return paths;
}

DropTarget::DropTarget(QWidget* parent, const QString& name)
    : QWidget(parent),
      headline_(new WrappedLabel(this)),
      detail_(new WrappedLabel(this)),
      primary_(new QPushButton(this)) {
  setObjectName(name + QStringLiteral("Target"));
  setAcceptDrops(true);
  headline_->setObjectName(name + QStringLiteral("Headline"));
  headline_->setFont(uiFont(TypeSize::kHeading));
  headline_->setProperty("role", "heading");
  headline_->setAlignment(Qt::AlignCenter);
  detail_->setObjectName(name + QStringLiteral("Detail"));
  detail_->setProperty("role", "muted");
  detail_->setAlignment(Qt::AlignCenter);
  primary_->setObjectName(name + QStringLiteral("Primary"));
  primary_->setProperty("role", "primary");

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * kInset, 2 * kInset, 2 * kInset, 2 * kInset);
  layout->addStretch(1);
  layout->addSpacing(kIconSide + 2 * kGrid);
  layout->addWidget(headline_);
  layout->addSpacing(kGrid);
  layout->addWidget(detail_);
  layout->addSpacing(3 * kGrid);
  layout->addWidget(primary_, 0, Qt::AlignHCenter);
  layout->addStretch(1);
  connect(primary_, &QPushButton::clicked, this, &DropTarget::primaryRequested);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
  setTexts(tr("Drop a model or images here"),
           tr("TorchScript (.pt), images, idx, npz, or saved predictions"));
  setAction({});
}

void DropTarget::setTexts(const QString& headline, const QString& detail) {
  headline_->setText(headline);
  detail_->setText(detail);
  setAccessibleName(headline);
  setAccessibleDescription(detail);
}

void DropTarget::setAction(const QString& text) {
  primary_->setText(text);
  primary_->setVisible(!text.isEmpty());
}

void DropTarget::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedPaths(*event->mimeData()).isEmpty()) {
    return;
  }
  hovered_ = true;
  update();
  event->acceptProposedAction();
}

void DropTarget::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
  hovered_ = false;
  update();
}

void DropTarget::dropEvent(QDropEvent* event) {
  hovered_ = false;
  update();
  const QStringList paths = droppedPaths(*event->mimeData());
  if (!paths.isEmpty()) {
    event->acceptProposedAction();
    Q_EMIT pathsDropped(paths);
  }
}

void DropTarget::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(hovered_ ? theme.accent : theme.border, 2.0);
  pen.setDashPattern({4.0, 3.0});
  painter.setPen(pen);
  painter.setBrush(hovered_ ? theme.highlight : theme.panel);
  painter.drawRoundedRect(rect().adjusted(kInset, kInset, -kInset, -kInset), 8.0, 8.0);
  const QRectF icon(width() / 2.0 - kIconSide / 2.0,
                    headline_->geometry().top() - kIconSide - 3.0 * kGrid, kIconSide, kIconSide);
  paintIcon(painter, icon, hovered_ ? theme.accent : theme.muted);
}

}  // namespace dubito
