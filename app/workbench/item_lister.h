// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/jobs/window_jobs.h"
#include "app/session/messages.h"
#include "app/session/session.h"

namespace dubito {

/// Finds and sorts the items of the session's listing whenever its query changes.
class ItemLister : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this object.
  ItemLister(Session& session, WindowJobs& jobs, Messages& messages, QObject* parent = nullptr);

  /// Whether the items are being found and sorted. Until then the listing has the old ones.
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 private:
  void list();

  Session& session_;
  Messages& messages_;
  Job job_;
};

}  // namespace dubito
