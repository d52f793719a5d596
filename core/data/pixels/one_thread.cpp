// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>

#include "core/data/pixels/one_thread_torch.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace dubito {
namespace {

// at::set_num_threads cannot be used, because it also changes the number for other threads.
void setThreads([[maybe_unused]] int threads) {
#ifdef _OPENMP
  omp_set_num_threads(threads);
#endif
}

}  // namespace

// Querying the number of threads makes torch run its own set-up for this thread, which would
// otherwise override our setting later.
SingleThreadScope::SingleThreadScope() : before_(at::get_num_threads()) {
  setThreads(1);
}

SingleThreadScope::~SingleThreadScope() {
  setThreads(before_);
}

}  // namespace dubito
