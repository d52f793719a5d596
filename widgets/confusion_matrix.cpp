// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/confusion_matrix.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/export_note.h"
#include "widgets/number_text.h"
#include "widgets/plot_export_qcp.h"
#include "widgets/qcustomplot_wrapper.h"
#include "widgets/theme.h"
#include "widgets/theme_follower.h"
#include "widgets/wheel_guard.h"

namespace dubito {
namespace {

constexpr int kMaxNameWidth = 18 * kGrid;

QColor mixed(const QColor& from, const QColor& to, double share) {
  const auto between = [share](int a, int b) {
    return static_cast<int>(std::lround(a + share * (b - a)));
  };
  return QColor(between(from.red(), to.red()), between(from.green(), to.green()),
                between(from.blue(), to.blue()));
}

/// Black or white, whichever is easier to read on `background`.
QColor textOn(const QColor& background) {
  const double luminance =
      0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
  constexpr double kMiddle = 140.0;
  return luminance > kMiddle ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("confusionMatrix"));
  setAccessibleName(tr("confusion matrix"));
  setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
  setMouseTracking(true);
  setZoomsByWheel(*this);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  ExportSource source;
  source.table = [this] { return table(); };
  source.picture = [this](const PictureRequest& request) { return encoded(request); };
  source.title = [this] { return title_; };
  source.as_document = true;
  exporter_ = new Exporter(std::move(source), this);
  connect(exporter_, &Exporter::failed, this, &ConfusionMatrix::failed);
  new ThemeFollower(*this, [this] {
    paintColors();
    update();
  });
}

void ConfusionMatrix::setValue(ConfusionValue value) {
  value_ = std::move(value);
  row_sums_.assign(static_cast<std::size_t>(classes()), 0);
  for (int label = 0; label < classes(); ++label) {
    for (const std::int64_t count : value_.counts.row(label)) {
      row_sums_[static_cast<std::size_t>(label)] += count;
    }
  }
  selected_.reset();
  cursor_ = {};
  view_.setCells(classes());
  paintColors();
  layOut(size());
  update();
}

void ConfusionMatrix::setSelected(std::optional<ConfusionCell> cell) {
  const bool inside = cell && cell->label >= 0 && cell->label < classes() && cell->predicted >= 0 &&
                      cell->predicted < classes();
  selected_ = inside ? cell : std::nullopt;
  if (selected_) {
    cursor_ = *selected_;
    view_.include(selected_->predicted, selected_->label);
  }
  update();
}

std::int64_t ConfusionMatrix::countAt(int label, int predicted) const {
  return value_.counts.row(label)[static_cast<std::size_t>(predicted)];
}

double ConfusionMatrix::shareAt(int label, int predicted) const {
  const std::int64_t sum = row_sums_[static_cast<std::size_t>(label)];
  return sum == 0 ? 0.0 : static_cast<double>(countAt(label, predicted)) / static_cast<double>(sum);
}

QColor ConfusionMatrix::colorAt(int label, int predicted) const {
  const Theme& theme = currentTheme();
  const double share = shareAt(label, predicted);
  if (label == predicted) {
    return mixed(theme.panel, theme.correct, share);
  }
  constexpr double kFaintest = 0.22;  // can be told from an empty cell in both themes
  return share == 0.0 ? theme.panel
                      : mixed(theme.panel, theme.misclassified,
                              kFaintest + (1.0 - kFaintest) * std::sqrt(share));
}

void ConfusionMatrix::paintColors() {
  scaled_ = {};
  colors_ = QImage(classes(), classes(), QImage::Format_RGB32);
  for (int label = 0; label < classes(); ++label) {
    for (int predicted = 0; predicted < classes(); ++predicted) {
      colors_.setPixelColor(predicted, label, colorAt(label, predicted));
    }
  }
}

ConfusionMatrix::Margins ConfusionMatrix::margins() const {
  const QFontMetrics metrics(uiFont(TypeSize::kSmall));
  int widest = 0;
  for (const QString& name : value_.class_names) {
    widest = std::max(widest, metrics.horizontalAdvance(name));
  }
  widest = std::min(widest, kMaxNameWidth);
  // Axis titles and class names take one line each, below and at the left.
  const double line = metrics.height();
  // The title at the left keeps its distance from the names.
  return {widest + 2 * kGrid + line, kGrid, kGrid, 2.0 * line + kGrid, widest};
}

int ConfusionMatrix::heightForWidth(int width) const {
  const Margins around = margins();
  return static_cast<int>(
      std::lround(width - around.left - around.right + around.top + around.bottom));
}

void ConfusionMatrix::layOut(const QSize& area) {
  const Margins around = margins();
  const double side = std::max(1.0, std::min(area.width() - around.left - around.right,
                                             area.height() - around.top - around.bottom));
  grid_ = QRectF(around.left, around.top, side, side);
  const double cell = cellSide();
  const double line = QFontMetrics(uiFont(TypeSize::kSmall)).height();
  const double room = std::max(line, around.widest_name * 0.5 + kGrid);
  name_step_ = std::max(1, static_cast<int>(std::ceil(room / cell)));
}

QPointF ConfusionMatrix::centreOf(ConfusionCell cell) const {
  return grid_.topLeft() +
         (QPointF(cell.predicted + 0.5, cell.label + 0.5) - view_.origin()) * cellSide();
}

std::optional<ConfusionCell> ConfusionMatrix::cellAt(const QPointF& position) const {
  if (classes() == 0 || !grid_.contains(position)) {
    return std::nullopt;
  }
  const QPointF at = view_.origin() + (position - grid_.topLeft()) / cellSide();
  const auto inside = [this](double cell) {
    return std::clamp(static_cast<int>(cell), 0, classes() - 1);
  };
  return ConfusionCell{inside(at.y()), inside(at.x())};
}

QString ConfusionMatrix::describe(ConfusionCell cell) const {
  const QString items =
      countedText(countAt(cell.label, cell.predicted), tr("%1 item"), tr("%1 items"));
  const QString share = shareText(shareAt(cell.label, cell.predicted));
  const QString& name = value_.class_names[cell.label];
  if (!value_.row_title.isEmpty()) {
    return tr("%1 %2, %3 %4: %5, %6 of the row")
        .arg(value_.row_title, name, value_.column_title, value_.class_names[cell.predicted], items,
             share);
  }
  return cell.label == cell.predicted
             ? tr("%1 correct: %2, %3 of the true class").arg(name, items, share)
             : tr("true %1, predicted %2: %3, %4 of the true class")
                   .arg(name, value_.class_names[cell.predicted], items, share);
}

PlotTable ConfusionMatrix::table() const {
  PlotTable table;
  table.columns = value_.row_title.isEmpty()
                      ? QStringList{"true", "predicted", "items", "share_of_true_class"}
                      : QStringList{value_.row_title, value_.column_title, "items", "share_of_row"};
  for (int label = 0; label < classes(); ++label) {
    for (int predicted = 0; predicted < classes(); ++predicted) {
      if (countAt(label, predicted) > 0) {
        table.rows.push_back({value_.class_names[label], value_.class_names[predicted],
                              static_cast<qlonglong>(countAt(label, predicted)),
                              shareAt(label, predicted)});
      }
    }
  }
  return table;
}

QSize ConfusionMatrix::sizeHint() const {
  return {260, 260};
}
QSize ConfusionMatrix::minimumSizeHint() const {
  return {140, 140};
}

QByteArray ConfusionMatrix::encoded(const PictureRequest& request) {
  const PlotCaption caption = captionFor(request, title_, subtitle_, exportNote(*this));
  const QSize room = request.has_size ? pictureRoom(request, caption, logicalDpiX()) : size();
  const auto paint = [this, &request](QPainter& painter) { paintMatrix(painter, request.scale); };
  QByteArray bytes;
  {
    const ThemeScope scope(themeOf(request.format));
    layOut(room);
    paintColors();
    bytes = encodePicture({room, logicalDpiX(), paint}, request, caption);
  }
  layOut(size());
  paintColors();
  return bytes;
}

QByteArray ConfusionMatrix::renderSvg(const QSize& size) {
  resize(size);
  layOut(size);
  PictureRequest request{.suffix = QStringLiteral("svg")};
  request.format.is_dark = currentTheme().dark;
  request.format.has_title = false;
  const auto paint = [this](QPainter& painter) { paintMatrix(painter, 2); };
  return encodePicture({size, logicalDpiX(), paint}, request, {});
}

// --- painting ----------------------------------------------------------------------------------

void ConfusionMatrix::paintNames(QPainter& painter) const {
  const Theme& theme = currentTheme();
  const QFontMetrics metrics(uiFont(TypeSize::kSmall));
  const double side = cellSide();
  const double line = metrics.height();
  painter.setPen(theme.muted);
  // Multiples of the step, so that the same names are shown while the view moves.
  const auto visit = [this](std::pair<int, int> range, double first, const auto& draw) {
    for (int k = (range.first + name_step_ - 1) / name_step_ * name_step_; k < range.second;
         k += name_step_) {
      if (const double middle = (k + 0.5 - first) * cellSide();
          middle >= 0.0 && middle <= grid_.width()) {
        draw(k, middle);
      }
    }
  };
  visit(view_.rows(), view_.origin().y(), [&](int k, double middle) {
    painter.drawText(QRectF(0, grid_.top() + middle - line / 2, grid_.left() - kGrid, line),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(value_.class_names[k], Qt::ElideRight, kMaxNameWidth));
  });
  visit(view_.columns(), view_.origin().x(), [&](int k, double middle) {
    // A name may use the columns up to the next name.
    const double room = side * name_step_;
    painter.drawText(
        QRectF(grid_.left() + middle - room / 2, grid_.bottom() + 1, room, line), Qt::AlignCenter,
        metrics.elidedText(value_.class_names[k], Qt::ElideRight, static_cast<int>(room)));
  });
  painter.drawText(QRectF(grid_.left(), grid_.bottom() + line + 1, grid_.width(), line),
                   Qt::AlignCenter,
                   value_.column_title.isEmpty() ? tr("predicted") : value_.column_title);
  painter.save();
  painter.translate(0, grid_.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, grid_.height(), line), Qt::AlignCenter,
                   value_.row_title.isEmpty() ? tr("true class") : value_.row_title);
  painter.restore();
}

void ConfusionMatrix::paintCounts(QPainter& painter) const {
  const QFont usual = uiFont(TypeSize::kSmall);
  const QFontMetrics metrics(usual);
  const double side = cellSide();
  constexpr double kReadable = 20.0;
  constexpr int kSmallestCount = 6;  // pixels
  if (side < kReadable) {
    return;
  }
  const auto [first_row, last_row] = view_.rows();
  const auto [first_column, last_column] = view_.columns();
  for (int label = first_row; label < last_row; ++label) {
    for (int predicted = first_column; predicted < last_column; ++predicted) {
      const std::int64_t count = countAt(label, predicted);
      const QString text = countText(count);
      if (count == 0) {
        continue;
      }
      // A long number is written smaller: a blank cell would say that there is none.
      QFont font = usual;
      if (const int width = metrics.horizontalAdvance(text); width > side - 2) {
        font.setPixelSize(std::max(
            kSmallestCount, static_cast<int>(QFontInfo(usual).pixelSize() * (side - 2) / width)));
      }
      painter.setFont(font);
      painter.setPen(textOn(colorAt(label, predicted)));
      const QPointF corner = centreOf({label, predicted}) - QPointF(side / 2, side / 2);
      painter.drawText(QRectF(corner, QSizeF(side, side)), Qt::AlignCenter, text);
    }
  }
}

void ConfusionMatrix::setCaption(const QString& title, const QString& subtitle) {
  title_ = title;
  subtitle_ = subtitle;
}

void ConfusionMatrix::paintMatrix(QPainter& painter, double pixel_ratio) {
  if (classes() == 0) {
    return;
  }
  painter.setFont(uiFont(TypeSize::kSmall));
  painter.save();
  painter.setClipRect(grid_, Qt::IntersectClip);
  paintCells(painter, pixel_ratio);
  paintCounts(painter);
  painter.restore();
  painter.setFont(uiFont(TypeSize::kSmall));
  painter.setPen(currentTheme().border);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(grid_);
  paintNames(painter);
}

void ConfusionMatrix::paintCells(QPainter& painter, double pixel_ratio) {
  // Cells smaller than a pixel are averaged, larger ones keep sharp edges.
  const QRectF shown(view_.origin(), QSizeF(view_.span(), view_.span()));
  const QSize pixels = (grid_.size() * pixel_ratio).toSize();
  if (pixels.width() >= view_.span()) {
    painter.drawImage(grid_, colors_, shown);
  } else if (!view_.isWhole()) {
    painter.drawImage(grid_, colors_.copy(shown.toAlignedRect())
                                 .scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
  } else {
    if (scaled_.size() != pixels) {
      scaled_ = colors_.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    }
    painter.drawImage(grid_, scaled_);
  }
  const double side = cellSide();
  constexpr double kGridFrom = 8.0;
  if (side < kGridFrom) {
    return;
  }
  painter.setPen(currentTheme().grid);
  for (int k = view_.columns().first; k < view_.columns().second; ++k) {
    const double x = grid_.left() + (k - view_.origin().x()) * side;
    painter.drawLine(QPointF(x, grid_.top()), QPointF(x, grid_.bottom()));
  }
  for (int k = view_.rows().first; k < view_.rows().second; ++k) {
    const double y = grid_.top() + (k - view_.origin().y()) * side;
    painter.drawLine(QPointF(grid_.left(), y), QPointF(grid_.right(), y));
  }
}

void ConfusionMatrix::paintEvent(QPaintEvent* /*event*/) {
  if (classes() == 0) {
    return;
  }
  QPainter painter(this);
  paintMatrix(painter, devicePixelRatioF());
  // A frame of a cell at the edge may extend beyond the grid by its width.
  painter.setClipRect(grid_.adjusted(-2, -2, 2, 2));
  const double side = cellSide();
  const Theme& theme = currentTheme();
  const auto frame = [&](ConfusionCell cell, Qt::PenStyle style) {
    const double half = std::max(side, 4.0) / 2;
    painter.setPen(QPen(theme.selection, 2.0, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(centreOf(cell) - QPointF(half, half), QSizeF(2 * half, 2 * half)));
  };
  if (selected_) {
    frame(*selected_, Qt::SolidLine);
  }
  if (hasFocus() && selected_ != cursor_) {
    frame(cursor_, Qt::DotLine);
  }
}

void ConfusionMatrix::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut(size());
}

// --- interaction -------------------------------------------------------------------------------

void ConfusionMatrix::choose(ConfusionCell cell) {
  cursor_ = cell;
  if (selected_ == cell) {
    selected_.reset();
    Q_EMIT cleared();
  } else {
    selected_ = cell;
    Q_EMIT cellChosen(cell.label, cell.predicted);
  }
  update();
}

void ConfusionMatrix::resetZoom() {
  view_.reset();
  viewChanged();
}

void ConfusionMatrix::viewChanged() {
  layOut(size());
  update();
}

void ConfusionMatrix::wheelEvent(QWheelEvent* event) {
  constexpr double kPerNotch = 0.8;
  constexpr double kAngleOfNotch = 120.0;
  if (classes() == 0 || !grid_.contains(event->position())) {
    event->ignore();
    return;
  }
  const QPointF at = event->position() - grid_.topLeft();
  const double notches = event->angleDelta().y() / kAngleOfNotch;
  // At the limits the page may scroll instead.
  event->setAccepted(
      view_.zoom(std::pow(kPerNotch, notches), {at.x() / grid_.width(), at.y() / grid_.height()}));
  viewChanged();
}

void ConfusionMatrix::mouseMoveEvent(QMouseEvent* event) {
  if (dragged_) {
    view_.move((*dragged_ - event->position()) / cellSide());
    dragged_ = event->position();
    viewChanged();
    return;
  }
  const auto cell = event->buttons() == Qt::NoButton ? cellAt(event->position()) : std::nullopt;
  if (cell) {
    QToolTip::showText(event->globalPosition().toPoint(), describe(*cell), this);
  } else {
    QToolTip::hideText();
  }
}

void ConfusionMatrix::mouseReleaseEvent(QMouseEvent* event) {
  if (!std::exchange(dragged_, std::nullopt)) {
    QWidget::mouseReleaseEvent(event);
  }
}

void ConfusionMatrix::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && isZoomed()) {
    resetZoom();
    return;
  }
  QWidget::mouseDoubleClickEvent(event);
}

void ConfusionMatrix::mousePressEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->position());
  if (event->button() == Qt::LeftButton && cell && isZoomed() &&
      event->modifiers().testFlag(Qt::ShiftModifier)) {
    dragged_ = event->position();
    return;
  }
  if (event->button() == Qt::LeftButton && cell) {
    choose(*cell);
    return;
  }
  QWidget::mousePressEvent(event);
}

void ConfusionMatrix::keyPressEvent(QKeyEvent* event) {
  if (classes() == 0) {
    QWidget::keyPressEvent(event);
    return;
  }
  ConfusionCell next = cursor_;
  switch (event->key()) {
    case Qt::Key_Left:
      --next.predicted;
      break;
    case Qt::Key_Right:
      ++next.predicted;
      break;
    case Qt::Key_Up:
      --next.label;
      break;
    case Qt::Key_Down:
      ++next.label;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      choose(cursor_);
      return;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  cursor_ = {std::clamp(next.label, 0, classes() - 1),
             std::clamp(next.predicted, 0, classes() - 1)};
  view_.include(cursor_.predicted, cursor_.label);
  setAccessibleDescription(describe(cursor_));
  update();
}

void ConfusionMatrix::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos(), [this](QMenu& menu) {
    QAction* const reset = menu.addAction(tr("Reset zoom"), this, &ConfusionMatrix::resetZoom);
    reset->setEnabled(isZoomed());
  });
}

bool ConfusionMatrix::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* const help = static_cast<QHelpEvent*>(event);
    if (const auto cell = cellAt(QPointF(help->pos()))) {
      QToolTip::showText(help->globalPos(), describe(*cell), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QWidget::event(event);
}

}  // namespace dubito
