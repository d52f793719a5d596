// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

class ComputeQueue;
class ProgressStrip;
class WindowJobs;

/// Lets `strip` show `jobs` and cancel them. Those of `queue` come before all others. All arguments
/// outlive the connection.
void showJobs(WindowJobs& jobs, const ComputeQueue& queue, ProgressStrip& strip);

}  // namespace dubito
