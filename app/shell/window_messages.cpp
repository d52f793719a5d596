// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_messages.h"

#include "app/jobs/window_jobs.h"
#include "app/page/page.h"
#include "app/session/messages.h"
#include "app/shell/error_banner.h"
#include "widgets/progress_strip.h"

namespace dubito {

WindowMessages::WindowMessages(Messages& messages, WindowJobs& jobs, ErrorBanner& banner,
                               ProgressStrip& strip, QObject* parent)
    : QObject(parent), messages_(messages), jobs_(jobs), banner_(banner), strip_(strip) {
  followErrors(messages);
  connect(&messages, &Messages::noticed, this, &WindowMessages::showNote);
  connect(&messages, &Messages::linesOffered, &banner, &ErrorBanner::offerLines);
  connect(&messages, &Messages::withdrawn, &banner, &ErrorBanner::withdraw);
}

void WindowMessages::follow(const Page& page) {
  followErrors(page);
  connect(&page, &Page::noticed, &messages_, &Messages::noticed);
  connect(&page, &Page::withdrawn, &banner_, &ErrorBanner::withdraw);
}

void WindowMessages::showError(const QString& message) {
  banner_.show(message, true);
}

void WindowMessages::showNote(const QString& message) {
  banner_.show(message, false);
}

void WindowMessages::showWritten(const QString& path) {
  const QString text = tr("Saved: %1").arg(path);
  if (jobs_.busy()) {
    jobs_.setDoneText(text);  // the strip shows the running job
  } else {
    strip_.finish(text);
  }
}

}  // namespace dubito
