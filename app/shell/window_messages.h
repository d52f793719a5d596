// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace dubito {

class ErrorBanner;
class Messages;
class Page;
class ProgressStrip;
class WindowJobs;

/// Shows what the parts of the window report: errors and notes in the banner, files that were
/// written in the progress strip.
class WindowMessages : public QObject {
  Q_OBJECT
 public:
  /// All arguments outlive this object.
  WindowMessages(Messages& messages, WindowJobs& jobs, ErrorBanner& banner, ProgressStrip& strip,
                 QObject* parent);

  /// Shows the messages of `page`.
  void follow(const Page& page);
  /// Shows the errors of another part, which emits failed().
  template <class Part>
  void followErrors(const Part& part) {
    connect(&part, &Part::failed, this, &WindowMessages::showError);
  }
  /// Shows that `part`, which emits written(), has written a file.
  template <class Part>
  void followFiles(const Part& part) {
    connect(&part, &Part::written, this, &WindowMessages::showWritten);
  }

  void showError(const QString& message);
  void showNote(const QString& message);

 private:
  void showWritten(const QString& path);

  Messages& messages_;
  WindowJobs& jobs_;
  ErrorBanner& banner_;
  ProgressStrip& strip_;
};

}  // namespace dubito
