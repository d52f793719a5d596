// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/workbench/workbench.h"

namespace dubito {

/// A notice with a button that closes the demo. Shown while the user's own models or datasets are
/// open as well, because the OOD images of the demo would be included in every run.
class DemoOffer : public QFrame {
  Q_OBJECT
 public:
  /// `workbench` outlives the notice.
  explicit DemoOffer(Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace dubito
