// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/frame_recorder.h"

#include <QDir>
#include <QPainter>
#include <QSaveFile>
#include <QWidget>
#include <utility>

#include "app/labs/animated_png.h"
#include "app/session/error_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QString nameOf(int frame) {
  return QStringLiteral("frame-%1.png").arg(frame, 4, 10, QLatin1Char('0'));
}

int even(int length) {
  return length + length % 2;
}

/// What `view` shows, on pixels of its device. `size`: of the picture; if empty, that of the view,
/// with even sides. What is missing is filled with the background.
QImage pictureOf(QWidget& view, const QSize& size) {
  const QImage shown = view.grab().toImage();
  QImage picture(size.isEmpty() ? QSize(even(shown.width()), even(shown.height())) : size,
                 QImage::Format_RGB32);
  picture.fill(currentTheme().window);
  QPainter painter(&picture);
  QImage pixels = shown;
  pixels.setDevicePixelRatio(1.0);
  painter.drawImage(0, 0, pixels);
  return picture;
}

/// Ok if `image` is at `path`; nothing is left there if it cannot be written whole.
Status write(const QImage& image, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "png") || !file.commit()) {
    return fail(ErrorCode::kWriteFailed,
                QStringLiteral("%1: %2; choose another folder, or make room")
                    .arg(path, file.errorString())
                    .toStdString());
  }
  return {};
}

}  // namespace

FrameRecorder::FrameRecorder(QObject* parent) : QObject(parent), job_(worker_) {
  connect(&timer_, &QTimer::timeout, this, &FrameRecorder::record);
}

FrameRecorder::~FrameRecorder() = default;

Status FrameRecorder::start(QWidget& view, const QString& folder, LabPlayer* stepped) {
  if (!QDir().mkpath(folder)) {
    return fail(
        ErrorCode::kWriteFailed,
        (folder + QStringLiteral(": cannot make this folder; choose another one")).toStdString());
  }
  if (!QDir(folder).entryList({QStringLiteral("frame-*.png")}, QDir::Files).isEmpty()) {
    return fail(ErrorCode::kInvalidArgument,
                (folder + QStringLiteral(": has frames of another recording, which would be mixed "
                                         "with the new ones; choose an empty folder"))
                    .toStdString());
  }
  view_ = &view;
  stepped_ = stepped;
  steps_ = stepped != nullptr;
  if (steps_) {
    stepped->pause();
  }
  folder_ = folder;
  last_ = {};
  frames_ = 0;
  joins_ = true;
  // Steps need not wait: each frame is one, however long it took.
  constexpr int kStepPause = 10;  // ms
  timer_.start(steps_ ? kStepPause : 1000 / kFramesPerSecond);
  record();
  return {};
}

void FrameRecorder::stop() {
  if (isRecording()) {
    timer_.stop();
    Q_EMIT changed();
    join();
  }
}

void FrameRecorder::join() {
  if (isRecording() || busy() || !joins_) {
    return;
  }
  joins_ = false;
  if (frames_ == 0) {
    return;  // nothing was ever visible
  }
  QStringList frames;
  for (int frame = 1; frame <= frames_; ++frame) {
    frames << QDir(folder_).filePath(nameOf(frame));
  }
  const QString path = QDir(folder_).filePath(QLatin1String(kAnimation));
  job_.start<bool>(
      tr("Animation"), {},
      [frames, path](RunContext& context) {
        const Status written = writeAnimatedPng(frames, kFramesPerSecond, path, context);
        return written ? Expected<bool>(true) : Expected<bool>(failWith(written));
      },
      this,
      [this, path](const Expected<bool>& written) {
        if (written) {
          Q_EMIT finished(path);
        } else if (written.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(written.error()));
        }
      });
}

void FrameRecorder::record() {
  if (view_ == nullptr) {
    stop();
    return;
  }
  if (busy() || !view_->isVisible() || (stepped_ && stepped_->busy())) {
    return;
  }
  QImage image = pictureOf(*view_, last_.size());
  if (steps_) {
    if (!stepped_ || stepped_->isFinished()) {
      timer_.stop();
      Q_EMIT changed();
    } else {
      stepped_->step();
    }
  }
  if (image == last_) {
    join();
    return;
  }
  last_ = image;
  ++frames_;
  job_.start<bool>(
      tr("Frame"), {},
      [image = std::move(image), path = QDir(folder_).filePath(nameOf(frames_))](RunContext&) {
        const Status written = write(image, path);
        return written ? Expected<bool>(true) : Expected<bool>(failWith(written));
      },
      this,
      [this](const Expected<bool>& written) {
        if (!written && written.error().code != ErrorCode::kCancelled) {
          --frames_;
          joins_ = false;
          endWith(errorText(written.error()));
        } else {
          join();
        }
      });
  Q_EMIT changed();
  if (frames_ == kMaxFrames) {
    endWith(tr("%1: the recording ended after %2 frames; start another one in an empty folder to "
               "go on")
                .arg(folder_)
                .arg(kMaxFrames));
  }
}

void FrameRecorder::endWith(const QString& message) {
  stop();
  Q_EMIT failed(message);
}

}  // namespace dubito
