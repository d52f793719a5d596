// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_library.h"

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

QString plotLibraryVersion() {
  return QStringLiteral(QCUSTOMPLOT_VERSION_STR);
}

}  // namespace dubito
