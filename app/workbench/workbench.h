// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

#include "app/jobs/window_jobs.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/workbench/brushing.h"
#include "app/workbench/compute_settings.h"
#include "app/workbench/file_opener.h"
#include "app/workbench/item_lister.h"
#include "app/workbench/run_computer.h"
#include "app/workbench/run_evaluator.h"

namespace dubito {

/// The work behind the window, as jobs on worker threads: opening files, computing and evaluating
/// runs, listing items. The results are in the session. A page takes the parts that it uses.
class Workbench {
 public:
  /// `stored` remembers choices between starts; both arguments must outlive this object.
  Workbench(Session& session, QSettings& stored)
      : session_(session),
        evaluator_(session, jobs_, messages_, settings_),
        computer_(session, jobs_, messages_, evaluator_, settings_, stored),
        opener_(session, jobs_, messages_, evaluator_, computer_, stored),
        lister_(session, jobs_, messages_),
        brushing_(session, jobs_.settings()) {}

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] WindowJobs& jobs() { return jobs_; }
  [[nodiscard]] Messages& messages() { return messages_; }
  [[nodiscard]] RunEvaluator& evaluator() { return evaluator_; }
  [[nodiscard]] RunComputer& computer() { return computer_; }
  [[nodiscard]] FileOpener& opener() { return opener_; }
  [[nodiscard]] ItemLister& lister() { return lister_; }
  [[nodiscard]] const ItemLister& lister() const { return lister_; }
  [[nodiscard]] Brushing& brushing() { return brushing_; }
  [[nodiscard]] const Brushing& brushing() const { return brushing_; }

 private:
  Session& session_;
  Messages messages_;
  ComputeSettings settings_;
  WindowJobs jobs_;  // its threads outlive the jobs of the others
  RunEvaluator evaluator_;
  RunComputer computer_;
  FileOpener opener_;
  ItemLister lister_;
  Brushing brushing_;
};

}  // namespace dubito
