// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace dubito {

/// From now on the mouse wheel changes a spin box, combo box or slider only while it has the
/// keyboard focus. Otherwise the wheel scrolls what is around it: whoever scrolls a form past its
/// fields must not change them. Can be called again.
void guardWheel(QApplication& application);

}  // namespace dubito
