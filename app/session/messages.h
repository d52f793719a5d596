// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/base/expected.h"

namespace dubito {

/// What the window says about the work behind it.
class Messages : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// Emits failed(), unless the work was cancelled.
  void report(const Error& error);

 Q_SIGNALS:
  /// `message` states the file or object concerned, the reason and what to do.
  void failed(const QString& message);
  /// The cause of `message`, which failed() reported, is gone: the file was opened, or the
  /// computation has succeeded.
  void withdrawn(const QString& message);
  /// A note on a successful result that affects its interpretation.
  void noticed(const QString& message);
  /// Lines of Python that remove the cause of `message`, which failed() reported.
  void linesOffered(const QString& message, const QString& lines);
};

}  // namespace dubito
