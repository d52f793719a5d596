// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>

class QKeyEvent;

namespace dubito {

/// One way to work on labels: a part of the Review page below its bar. Only the mode that is shown
/// is kept up to date; showState() is called when it is shown.
class ReviewMode : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// Shows everything anew: the run, the label file or the queue changed.
  virtual void showState() = 0;
  /// Another item is under review, or labels changed.
  virtual void showItem() = 0;
  /// Handles a key of the page; false: it has no meaning here.
  virtual bool takeKey(const QKeyEvent& event) = 0;
  /// True while pictures or results are on their way.
  [[nodiscard]] virtual bool busy() const = 0;
  /// Whether the mode shows items of the queue, so that the choices of the queue apply.
  [[nodiscard]] virtual bool showsQueue() const = 0;
  /// Whether it shows one item at a time, so that the next one can follow a decision.
  [[nodiscard]] virtual bool showsOneItem() const { return false; }
  /// The person comes back from the queue that this mode requested with modeRequested().
  virtual void comeBack() {}

 Q_SIGNALS:
  /// The keyboard belongs to the page again.
  void finished();
  /// Another mode should be shown, by its key, for a queue that this mode has chosen.
  void modeRequested(const QString& key);
  /// Something worth knowing that is no failure.
  void noticed(const QString& message);
  /// A notice does not hold any more.
  void withdrawn(const QString& message);
  void failed(const QString& message);
  /// The image has all the room, or shares it again.
  void aloneChanged(bool alone);
  /// The classes are to be edited, this one first.
  void editClassesRequested(std::optional<std::int64_t> class_id);
};

}  // namespace dubito
