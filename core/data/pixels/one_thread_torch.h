// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace dubito {

/// Restricts torch to the calling thread during its lifetime: several readers call at once, and
/// each would otherwise start its own OpenMP team. The setting is per thread.
class SingleThreadScope {
 public:
  // Asking torch first triggers its own set-up for this thread, which would otherwise override ours
  // later.
  SingleThreadScope() : before_(at::get_num_threads()) { set(1); }
  ~SingleThreadScope() { set(before_); }
  SingleThreadScope(const SingleThreadScope&) = delete;
  SingleThreadScope& operator=(const SingleThreadScope&) = delete;

 private:
  // at::set_num_threads does not help: it also changes the count for other threads.
  static void set([[maybe_unused]] int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
  }

  int before_;
};

}  // namespace dubito
