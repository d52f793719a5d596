// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEventLoop>
#include <QThread>
#include <algorithm>
#include <chrono>
#include <functional>

namespace dubito {

using Clock = std::chrono::steady_clock;

inline double millisecondsBetween(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

/// Remembers when a widget of the watched kind was last painted, and how long the window was deaf.
class PaintClock : public QApplication {
 public:
  using QApplication::QApplication;
  std::function<bool(const QObject&)> watched;
  Clock::time_point last_paint;
  qint64 paints = 0;
  double longest_event_ms = 0.0;

  bool notify(QObject* receiver, QEvent* event) override {
    const bool paint = event->type() == QEvent::Paint && watched && watched(*receiver);
    const Clock::time_point begin = Clock::now();
    ++depth_;
    const bool result = QApplication::notify(receiver, event);
    if (--depth_ == 0) {
      longest_event_ms = std::max(longest_event_ms, millisecondsBetween(begin, Clock::now()));
    }
    if (paint) {
      last_paint = Clock::now();
      ++paints;
    }
    return result;
  }

  /// Handles events until nothing watched was painted for `quiet`; true where anything was.
  bool settle(std::chrono::milliseconds quiet) {
    const qint64 before = paints;
    Clock::time_point changed = Clock::now();
    qint64 seen = paints;
    while (Clock::now() - changed < quiet) {
      processEvents(QEventLoop::AllEvents, 5);
      if (paints != seen) {
        seen = paints;
        changed = Clock::now();
      }
      QThread::usleep(200);
    }
    return paints != before;
  }

 private:
  int depth_ = 0;  ///< of events within events
};

}  // namespace dubito
