// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include "app/jobs/job.h"

class QWidget;

namespace dubito {

/// Writes what a widget shows to numbered pictures while it changes, for an animation:
/// "frame-0001.png", "frame-0002.png" and so on. A picture equal to the one before is not written.
/// They are encoded on a worker thread, at most one at a time; if that takes longer than the time
/// between two frames, there are fewer frames per second. GUI thread only.
class FrameRecorder : public QObject {
  Q_OBJECT
 public:
  static constexpr int kFramesPerSecond = 10;
  /// Then recording ends by itself.
  static constexpr int kMaxFrames = 3000;

  explicit FrameRecorder(QObject* parent = nullptr);
  ~FrameRecorder() override;

  /// Fails, with a reason, if `folder` cannot be written to or has such pictures already. The first
  /// frame is what `view` shows now. Recording ends when `view` is destroyed.
  [[nodiscard]] Status start(QWidget& view, const QString& folder);
  void stop();
  [[nodiscard]] bool isRecording() const { return timer_.isActive(); }
  [[nodiscard]] const QString& folder() const { return folder_; }
  /// How many pictures were written, or are being written.
  [[nodiscard]] int frames() const { return frames_; }
  /// Whether a picture is being written.
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 Q_SIGNALS:
  /// isRecording() or frames() changed.
  void changed();
  /// Recording ended by itself; `message` states the reason and what to do.
  void failed(const QString& message);

 private:
  void record();
  void endWith(const QString& message);

  WorkerThread worker_;
  Job job_;
  QTimer timer_;
  QPointer<QWidget> view_;
  QString folder_;
  QImage last_;
  int frames_ = 0;
};

}  // namespace dubito
