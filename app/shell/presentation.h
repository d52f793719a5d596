// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QWidget;

namespace dubito {

class PageStack;

/// The window as it is shown to an audience: the page alone on the whole screen, without bars and
/// panels, with larger text and thicker lines.
class Presentation : public QObject {
  Q_OBJECT
 public:
  /// Factor of text and lines: what is read at a desk at a distance of 60 cm is read in the last
  /// row of a seminar room.
  static constexpr double kScale = 1.5;

  /// `window` outlives this. changed() is emitted when its parts are to be hidden or shown.
  Presentation(PageStack& pages, QWidget& window);

  /// The checkable command that switches, with its key.
  [[nodiscard]] QAction* action() { return action_; }
  [[nodiscard]] bool isOn() const { return on_; }
  void show(bool on);
  /// Ends the presentation; returns false if there is none.
  bool end();

 Q_SIGNALS:
  void changed(bool on);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  PageStack& pages_;
  QWidget& window_;
  QAction* action_;
  bool on_ = false;
};

}  // namespace dubito
