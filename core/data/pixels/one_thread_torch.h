// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Restricts torch to the calling thread while the object exists. Several threads read items at the
/// same time, and torch would start an OpenMP team for each. The setting is per thread.
class SingleThreadScope {
 public:
  SingleThreadScope();
  ~SingleThreadScope();
  SingleThreadScope(const SingleThreadScope&) = delete;
  SingleThreadScope& operator=(const SingleThreadScope&) = delete;

 private:
  int before_;
};

}  // namespace dubito
