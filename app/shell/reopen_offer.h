// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

class ErrorBanner;
class Session;
class WindowCommands;

/// Lets the command "Reopen closed run" reopen what was closed last, and names in the banner the
/// runs that were closed without being saved. All arguments are of the same window.
void offerReopening(Session& session, WindowCommands& commands, ErrorBanner& banner);

}  // namespace dubito
