// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;
class QWidget;

namespace dubito {

/// From now on the mouse wheel changes a spin box, combo box or slider only while it has the
/// keyboard focus. Otherwise the wheel scrolls what is around it: whoever scrolls a form past its
/// fields must not change them. The same holds for widgets that zoom by the wheel, in a page that
/// scrolls, unless a key such as Ctrl is held. Can be called again.
void guardWheel(QApplication& application);

/// Marks a widget that zooms by the wheel.
void setZoomsByWheel(QWidget& widget);

}  // namespace dubito
