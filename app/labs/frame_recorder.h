// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include "app/jobs/job.h"
#include "app/labs/lab_player.h"

class QWidget;

namespace dubito {

/// Writes what a widget shows to numbered pictures while it changes, for an animation:
/// "frame-0001.png", "frame-0002.png" and so on, and when it ends all of them as kAnimation. A
/// picture equal to the one before is not written. All have the size of the first, with even sides,
/// as encoders of films want them.
/// They are encoded on a worker thread, at most one at a time; if that takes longer than the time
/// between two frames, there are fewer frames per second. GUI thread only.
class FrameRecorder : public QObject {
  Q_OBJECT
 public:
  static constexpr int kFramesPerSecond = 10;
  /// Then recording ends by itself.
  static constexpr int kMaxFrames = 3000;
  /// The file with all frames, next to them.
  static constexpr const char* kAnimation = "animation.png";

  explicit FrameRecorder(QObject* parent = nullptr);
  ~FrameRecorder() override;

  /// Fails, with a reason, if `folder` cannot be written to or has such pictures already. The first
  /// frame is what `view` shows now. Recording ends when `view` is destroyed. With a `stepped`
  /// player, it pauses, and there is a frame for each of its steps until it has finished.
  [[nodiscard]] Status start(QWidget& view, const QString& folder, LabPlayer* stepped = nullptr);
  void stop();
  [[nodiscard]] bool isRecording() const { return timer_.isActive(); }
  [[nodiscard]] const QString& folder() const { return folder_; }
  /// How many pictures were written, or are being written.
  [[nodiscard]] int frames() const { return frames_; }
  /// Whether a picture or the animation is being written.
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 Q_SIGNALS:
  /// isRecording() or frames() changed.
  void changed();
  /// The recording has ended, and the animation is at `path`.
  void finished(const QString& path);
  /// Recording ended by itself; `message` states the reason and what to do.
  void failed(const QString& message);

 private:
  void record();
  /// Writes the animation once the last picture is there.
  void join();
  void endWith(const QString& message);

  WorkerThread worker_;
  Job job_;
  QTimer timer_;
  QPointer<QWidget> view_;
  QPointer<LabPlayer> stepped_;
  bool steps_ = false;  ///< a frame per step, also if the player is gone
  QString folder_;
  QImage last_;
  int frames_ = 0;
  bool joins_ = false;  ///< the animation is still to be written
};

}  // namespace dubito
