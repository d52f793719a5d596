// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/session/session.h"
#include "app/workbench/file_opener.h"

namespace dubito {

/// A notice with a button that closes the demo. Shown while the user's own models or datasets are
/// open as well, because the OOD images of the demo would be included in every run.
class DemoOffer : public QFrame {
  Q_OBJECT
 public:
  /// The arguments outlive the notice.
  DemoOffer(Session& session, FileOpener& opener, QWidget* parent = nullptr);
};

}  // namespace dubito
