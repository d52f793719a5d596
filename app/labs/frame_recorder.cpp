// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/frame_recorder.h"

#include <QDir>
#include <QSaveFile>
#include <QWidget>

#include "app/session/error_text.h"

namespace dubito {
namespace {

QString nameOf(int frame) {
  return QStringLiteral("frame-%1.png").arg(frame, 4, 10, QLatin1Char('0'));
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
  timer_.setInterval(1000 / kFramesPerSecond);
  connect(&timer_, &QTimer::timeout, this, &FrameRecorder::record);
}

FrameRecorder::~FrameRecorder() = default;

Status FrameRecorder::start(QWidget& view, const QString& folder) {
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
  folder_ = folder;
  last_ = {};
  frames_ = 0;
  timer_.start();
  record();
  return {};
}

void FrameRecorder::stop() {
  if (isRecording()) {
    timer_.stop();
    Q_EMIT changed();
  }
}

void FrameRecorder::record() {
  if (view_ == nullptr) {
    stop();
    return;
  }
  if (busy() || !view_->isVisible()) {
    return;
  }
  QImage image = view_->grab().toImage();
  if (image == last_) {
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
          endWith(errorText(written.error()));
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
