// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cuda/predictive_summary_cuda.h"

namespace dubito {

/// The votes of kClasses classes of a thread in registers.
template <int kClasses>
class RegisterVotes {
 public:
  __device__ explicit RegisterVotes(int*) {}

  __device__ void clear() {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      votes_[c] = 0;
    }
  }
  __device__ int& of(int c) {
    return votes_[c];
  }
  __device__ void add(int slot) {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      votes_[c] += c == slot ? 1 : 0;
    }
  }

 private:
  int votes_[kClasses];
};

/// In shared memory, which one access per draw reaches; registers cannot be chosen by number.
template <int kClasses, int kThreads>
class SharedVotes {
 public:
  /// `own`: this thread's place in [kClasses][kThreads].
  __device__ explicit SharedVotes(int* own) : own_(own) {}

  __device__ void clear() {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      of(c) = 0;
    }
  }
  __device__ int& of(int c) {
    return own_[c * kThreads];
  }
  __device__ void add(int slot) {
    if (slot >= 0) {
      ++of(slot);
    }
  }

 private:
  int* own_;
};

/// The values of kClasses classes in registers: class c of the thread is class c * lanes + lane of
/// the item, with 2^lane_bits lanes.
template <int kClasses, class Votes>
class RegisterClasses {
 public:
  /// `first`: this thread's place among `threads` in [kClasses][threads] of shared memory. The
  /// votes must be cleared before the first.
  __device__ RegisterClasses(int lane, int lane_bits, double* first, int threads, Votes votes)
      : lane_(lane), lane_bits_(lane_bits), first_(first), threads_(threads), votes_(votes) {
    forEach([&](int c) { mean_[c] = 0.0; });
  }

  template <class Body>
  __device__ void forEach(const Body& body) const {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      body(c);
    }
  }

  __device__ int lane() const {
    return lane_;
  }
  __device__ int classOf(int c) const {
    return (c << lane_bits_) + lane_;
  }
  /// Another thread's class has no slot here.
  __device__ int slotOf(int k) const {
    const int above = k - lane_;
    return (above & ((1 << lane_bits_) - 1)) == 0 ? above >> lane_bits_ : -1;
  }
  __device__ float logit(int c) const {
    return logits_[c];
  }
  __device__ double& power(int c) {
    return powers_[c];
  }
  __device__ double& mean(int c) {
    return mean_[c];
  }
  __device__ double& first(int c) {
    return first_[c * threads_];
  }
  __device__ void clearVotes() {
    votes_.clear();
  }
  __device__ int& votes(int c) {
    return votes_.of(c);
  }
  __device__ void vote(int slot) {
    votes_.add(slot);
  }
  __device__ float (&logits())[kClasses] {
    return logits_;
  }

 private:
  int lane_;
  int lane_bits_;
  double* first_;
  int threads_;
  Votes votes_;
  float logits_[kClasses];
  double powers_[kClasses];
  double mean_[kClasses];
};

/// The values of a thread's classes in global memory, where they are too many for registers.
class ScratchClasses {
 public:
  __device__ ScratchClasses(const SummaryTask& task, const SummaryScratch& scratch,
                            std::int64_t offset)
      : classes_(static_cast<int>(task.classes)),
        mean_(task.mean_probs + offset),
        powers_(scratch.powers + offset),
        first_(scratch.first + offset),
        votes_(scratch.votes + offset) {
    forEach([&](int k) {
      mean_[k] = 0.0;
      votes_[k] = 0;
    });
  }

  template <class Body>
  __device__ void forEach(const Body& body) const {
#pragma unroll 4
    for (int k = lane(); k < classes_; k += static_cast<int>(blockDim.x)) {
      body(k);
    }
  }

  __device__ int lane() const {
    return static_cast<int>(threadIdx.x);
  }
  __device__ int classOf(int c) const {
    return c;
  }
  __device__ int slotOf(int k) const {
    return k % static_cast<int>(blockDim.x) == lane() ? k : -1;
  }
  __device__ void setRow(const float* row) {
    row_ = row;
  }
  __device__ float logit(int k) const {
    return row_[k];
  }
  __device__ double& power(int k) {
    return powers_[k];
  }
  __device__ double& mean(int k) {
    return mean_[k];
  }
  __device__ double& first(int k) {
    return first_[k];
  }
  __device__ int& votes(int k) {
    return votes_[k];
  }
  __device__ void vote(int slot) {
    if (slot >= 0) {
      ++votes_[slot];
    }
  }

 private:
  int classes_;
  const float* row_ = nullptr;
  double* mean_;
  double* powers_;
  double* first_;
  int* votes_;
};

}  // namespace dubito
