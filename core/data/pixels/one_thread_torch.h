// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace dubito {

/// Restricts torch to the calling thread during its lifetime: several readers call at once, and
/// each would otherwise start its own OpenMP team. The setting is per thread.
class OneThread {
 public:
  // Asking torch first triggers its own set-up for this thread, which would otherwise override ours
  // later.
  OneThread() : before_(at::get_num_threads()) { set(1); }
  ~OneThread() { set(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

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
