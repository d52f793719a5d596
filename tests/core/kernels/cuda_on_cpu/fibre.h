// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace dubito::cuda_on_cpu {

/// A function with a stack of its own, which runs until it switches to another one. Switches are
/// announced to the sanitizers. All fibres belong to one thread of the system.
class Fibre {
 public:
  /// The stack that the program already runs on.
  Fibre();
  /// A new stack, on which `body` begins with the first switch to it. It must never return.
  explicit Fibre(std::function<void()> body);
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  /// Leaves this fibre, which is running, for `to`; returns with the next switch to this one.
  void switchTo(Fibre& to);

 private:
  static void begin();
  void announceArrival();

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;  ///< null for the program's own
  bool has_begun_ = false;
  void* place_[5] = {};  ///< where it continues, as __builtin_setjmp has it
  // What the sanitizers know it by.
  const void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* fake_stack_ = nullptr;
  void* tsan_fibre_ = nullptr;
};

}  // namespace dubito::cuda_on_cpu
