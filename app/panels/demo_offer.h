// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/session/workbench.h"

namespace dubito {

/// Offers to close the demo while the user's own models or datasets are open, because its OOD
/// images would be included in every run. Never modal.
class DemoOffer : public QFrame {
  Q_OBJECT
 public:
  /// `workbench` outlives it.
  explicit DemoOffer(Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace dubito
