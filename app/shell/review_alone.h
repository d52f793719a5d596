// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QSettings;

namespace dubito {

class FileDrop;
class HeaderBar;
class ReviewPage;
class WindowBody;

/// The window for people who only review labels: it shows the page Review alone, with the tabs of
/// its modes in the header, and what is dropped on it are labels. The other pages, the list of what
/// is open and the demo are not offered.
class ReviewAlone : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    HeaderBar& header;
    WindowBody& body;
    ReviewPage& page;
    FileDrop& drop;
    QList<QAction*> hidden_commands;  ///< of the other pages
  };
  /// The parts must outlive this. `settings` store the choice.
  ReviewAlone(const Parts& parts, QSettings& settings, QObject* parent = nullptr);

  /// The checkable command that switches, for menus.
  [[nodiscard]] QAction* action() { return action_; }
  [[nodiscard]] bool isOn() const { return on_; }
  /// Switches without storing the choice.
  void show(bool on);
  /// Whether the window was last used so.
  [[nodiscard]] static bool isRemembered(const QSettings& settings);

 Q_SIGNALS:
  void changed(bool on);

 private:
  Parts parts_;
  QSettings& settings_;
  QAction* action_;
  bool on_ = false;
};

}  // namespace dubito
