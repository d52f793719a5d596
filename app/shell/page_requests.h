// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

class MainWindow;
class OpenMenu;
class SidePanels;

/// Lets `window` do what its pages, and the inspector in `side`, ask for: another page, the Compute
/// panel, a dialog of `menu`. All arguments outlive the connections.
void connectPageRequests(MainWindow& window, SidePanels& side, OpenMenu& menu);

}  // namespace dubito
