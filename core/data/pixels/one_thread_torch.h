// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace dubito {

/// Restricts torch to the calling thread while the object exists. Several threads read items at the
/// same time, and torch would start an OpenMP team for each. The setting is per thread.
class SingleThreadScope {
 public:
  // Querying the number of threads makes torch run its own set-up for this thread, which would
  // otherwise override our setting later.
  SingleThreadScope() : before_(at::get_num_threads()) { set(1); }
  ~SingleThreadScope() { set(before_); }
  SingleThreadScope(const SingleThreadScope&) = delete;
  SingleThreadScope& operator=(const SingleThreadScope&) = delete;

 private:
  // at::set_num_threads cannot be used, because it also changes the number for other threads.
  static void set([[maybe_unused]] int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
  }

  int before_;
};

}  // namespace dubito
