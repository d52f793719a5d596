// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernels/cuda_on_cpu/fibre.h"

#include <ucontext.h>

#include <cerrno>
#include <system_error>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace dubito::cuda_on_cpu {
namespace {

// Kernels have small frames; a sanitizer makes them larger.
constexpr std::size_t kStackBytes = std::size_t{1} << 17;

// The two ends of the switch at work.
Fibre* departing = nullptr;
Fibre* arriving = nullptr;

// Not longjmp: a sanitizer would watch it, and ask the system about stacks every time.
[[noreturn, gnu::noinline, gnu::no_sanitize("address", "thread")]] void jumpTo(void** place) {
  __builtin_longjmp(place, 1);
}

}  // namespace

Fibre::Fibre() : has_begun_(true) {
#ifdef __SANITIZE_THREAD__
  tsan_fibre_ = __tsan_get_current_fiber();
#endif
}

Fibre::Fibre(std::function<void()> body)
    : body_(std::move(body)),
      stack_(new std::byte[kStackBytes]),
      stack_bottom_(stack_.get()),
      stack_bytes_(kStackBytes) {
#ifdef __SANITIZE_THREAD__
  tsan_fibre_ = __tsan_create_fiber(0);
#endif
}

Fibre::~Fibre() {
#ifdef __SANITIZE_THREAD__
  if (stack_ != nullptr) {
    __tsan_destroy_fiber(tsan_fibre_);
  }
#endif
}

void Fibre::announceArrival() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake_stack_, &departing->stack_bottom_, &departing->stack_bytes_);
#endif
}

void Fibre::begin() {
  Fibre& self = *arriving;
  self.announceArrival();
  self.body_();
}

// makecontext only sets a stack up: jumps, other than swapcontext, need no call of the system.
[[gnu::no_sanitize("thread")]] void Fibre::switchTo(Fibre& to) {
  departing = this;
  arriving = &to;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&fake_stack_, to.stack_bottom_, to.stack_bytes_);
#endif
  if (__builtin_setjmp(place_) == 0) {
#ifdef __SANITIZE_THREAD__
    // Not ordered by the switch: see race_watch.h.
    __tsan_switch_to_fiber(to.tsan_fibre_, __tsan_switch_to_fiber_no_sync);
#endif
    if (to.has_begun_) {
      jumpTo(to.place_);
    }
    to.has_begun_ = true;
    ucontext_t context;
    if (getcontext(&context) != 0) {
      throw std::system_error(errno, std::generic_category(), "getcontext");
    }
    context.uc_stack.ss_sp = to.stack_.get();
    context.uc_stack.ss_size = kStackBytes;
    context.uc_link = nullptr;
    makecontext(&context, begin, 0);
    setcontext(&context);
  }
  announceArrival();
}

}  // namespace dubito::cuda_on_cpu
