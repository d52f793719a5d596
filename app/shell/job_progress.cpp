// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/job_progress.h"

#include "app/jobs/window_jobs.h"
#include "app/workbench/compute_queue.h"
#include "widgets/progress_strip.h"

namespace dubito {

void showJobs(WindowJobs& jobs, const ComputeQueue& queue, ProgressStrip& strip) {
  // Opening a file must not replace the progress of a computation.
  const auto is_hidden = [&queue](const QString& title) {
    return queue.running() && title != queue.job().title();
  };
  QObject::connect(&jobs, &WindowJobs::started, &strip,
                   [&strip, &queue, is_hidden](const QString& title) {
                     if (is_hidden(title)) {
                       return;
                     }
                     // Opening and saving count bytes and files, not items.
                     strip.start(title, queue.running());
                   });
  QObject::connect(&jobs, &WindowJobs::progressed, &strip,
                   [&strip, is_hidden](const Progress& progress, const QString& title) {
                     if (!is_hidden(title)) {
                       strip.setProgress(progress);
                     }
                   });
  QObject::connect(&jobs, &WindowJobs::finished, &strip, &ProgressStrip::finish);
  QObject::connect(&strip, &ProgressStrip::cancelRequested, &jobs, &WindowJobs::cancel);
}

}  // namespace dubito
