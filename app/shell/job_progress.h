// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

class ProgressStrip;
class Workbench;

/// Lets `strip` show the jobs of `workbench`, and cancel them. Both outlive the connection.
void showJobs(Workbench& workbench, ProgressStrip& strip);

}  // namespace dubito
