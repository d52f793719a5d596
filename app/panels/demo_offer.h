// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/session/workbench.h"

namespace dubito {

/// Asks, while models or datasets of the user's own are open next to the demo, whether to close the
/// demo: its out-of-distribution images would join every run. Never modal.
class DemoOffer : public QFrame {
  Q_OBJECT
 public:
  /// `workbench` outlives it.
  explicit DemoOffer(Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace dubito
