// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace dubito {

/// Keeps torch on this thread alone while it lives: readers call from several threads at once, and
/// each would otherwise start an OpenMP team of its own. The setting belongs to the thread.
class OneThread {
 public:
  // Asking torch first makes it do its own set-up for this thread, which would overrule ours later.
  OneThread() : before_(at::get_num_threads()) { set(1); }
  ~OneThread() { set(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  // at::set_num_threads is no help: it also changes what other threads get.
  static void set([[maybe_unused]] int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
  }

  int before_;
};

}  // namespace dubito
