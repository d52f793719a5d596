// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernels/cuda_on_cpu/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/kernels/philox.h"
#include "tests/core/kernels/cuda_on_cpu/fibre.h"
#include "tests/support/sanitized.h"

dubito::cuda_on_cpu::Extent3 threadIdx;
dubito::cuda_on_cpu::Extent3 blockIdx;
dubito::cuda_on_cpu::Extent3 blockDim;
dubito::cuda_on_cpu::Extent3 gridDim;

namespace dubito::cuda_on_cpu {
namespace {

// What a write beyond shared memory destroys; AddressSanitizer has its own.
constexpr std::size_t kGuardBytes = test::kSanitized ? 0 : 64;
constexpr auto kGuardByte = std::byte{0xA5};
constexpr auto kGarbage = std::byte{0xFF};

std::size_t countOf(const Extent3& size) {
  return std::size_t{size.x} * size.y * size.z;
}

Extent3 placeOf(std::size_t number, const Extent3& size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

/// Shared memory of a block, with a guard behind it.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes)
      : bytes_(bytes), data_(new std::byte[bytes + kGuardBytes]) {
    std::fill_n(data_.get(), bytes, kGarbage);
    std::fill_n(data_.get() + bytes, kGuardBytes, kGuardByte);
  }
  [[nodiscard]] std::byte* data() const { return data_.get(); }
  [[nodiscard]] bool isIntact() const {
    return std::all_of(data_.get() + bytes_, data_.get() + bytes_ + kGuardBytes,
                       [](std::byte guard) { return guard == kGuardByte; });
  }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> data_;
};

bool isSamePlace(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::strcmp(a.file_name(), b.file_name()) == 0;
}

std::string toString(const std::source_location& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}

/// Threads that wait for each other.
struct Meeting {
  std::source_location where;  ///< of those that wait
  std::size_t arrived = 0;
  std::vector<std::size_t> waiting;  ///< numbers of the threads
};

/// Lanes of a warp that exchange values.
struct WarpMeeting {
  unsigned mask = 0;
  Meeting meeting;
  std::array<std::uint64_t, kWarpThreads> given{};
  /// Of the last exchange that was completed: the next one needs all who have not read it yet.
  std::array<std::uint64_t, kWarpThreads> published{};
};

/// Unwinds the stack of a thread that nobody waits for any more.
struct Cancelled {};

/// Runs the blocks of one launch after another.
class Grid {
 public:
  void setSchedule(const Schedule& schedule) {
    schedule_ = schedule;
    random_ = schedule.key;
  }

  void run(const LaunchShape& shape, const std::function<void()>& thread) {
    thread_ = &thread;
    gridDim = shape.grid;
    if (schedule_.max_blocks > 0) {
      gridDim.x = std::min(gridDim.x, schedule_.max_blocks);
    }
    blockDim = shape.block;
    threads_ = countOf(shape.block);
    while (workers_.size() < threads_) {
      workers_.push_back(std::make_unique<Fibre>([this] { work(); }));
    }
    const std::size_t blocks = countOf(gridDim);
    for (std::size_t i = 0; i < blocks; ++i) {
      const bool is_backward = schedule_.order == Schedule::Order::kBackward;
      runBlock(placeOf(is_backward ? blocks - 1 - i : i, gridDim), shape.shared_bytes);
    }
  }

  void waitForBlock(std::source_location where) {
    meet(barrier_, threads_, "__syncthreads", where);
  }

  const std::array<std::uint64_t, kWarpThreads>& exchangeInWarp(unsigned mask, std::uint64_t value,
                                                                std::source_location where) {
    const std::size_t warp = current_ / kWarpThreads;
    const unsigned lane = laneOfThread();
    const std::size_t lanes_there =
        std::min<std::size_t>(kWarpThreads, threads_ - warp * kWarpThreads);
    if ((mask >> lane & 1U) == 0) {
      throw fault(
          fmt::format("its own lane is not in the mask {:#x} at {}", mask, toString(where)));
    }
    if (static_cast<std::size_t>(std::bit_width(mask)) > lanes_there) {
      throw fault(fmt::format("the mask {:#x} at {} names lanes that the warp does not have", mask,
                              toString(where)));
    }
    auto& of_warp = warps_[warp];
    auto found = std::ranges::find(of_warp, mask, &WarpMeeting::mask);
    if (found == of_warp.end()) {
      of_warp.push_back({.mask = mask, .meeting = {}});
      found = of_warp.end() - 1;
    }
    WarpMeeting& exchange = *found;
    exchange.given[lane] = value;
    const auto expected = static_cast<std::size_t>(std::popcount(mask));
    if (exchange.meeting.arrived + 1 == expected) {
      exchange.published = exchange.given;
    }
    meet(exchange.meeting, expected, "the others of its warp", where);
    return exchange.published;
  }

  std::byte* sharedVariable(int id, std::size_t bytes) {
    return variables_.try_emplace(id, bytes).first->second.data();
  }
  [[nodiscard]] std::byte* dynamicSharedMemory() const { return dynamic_->data(); }
  [[nodiscard]] unsigned laneOfThread() const {
    return static_cast<unsigned>(current_ % kWarpThreads);
  }

 private:
  static constexpr std::size_t kNone = kMaxThreadsPerBlock;
  enum class State { kNew, kReady, kWaiting, kEnded };

  KernelFault fault(const std::string& what) const {
    return KernelFault(fmt::format("thread ({}, {}, {}) of block ({}, {}, {}): {}", threadIdx.x,
                                   threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z,
                                   what));
  }

  void runBlock(const Extent3& place, std::size_t shared_bytes) {
    blockIdx = place;
    dynamic_ = std::make_unique<SharedMemory>(shared_bytes);
    variables_.clear();
    barrier_ = {};
    warps_.assign((threads_ + kWarpThreads - 1) / kWarpThreads, {});
    states_.assign(threads_, State::kNew);
    ready_.fill(0);
    for (std::size_t i = 0; i < threads_; ++i) {
      setReady(i, true);
    }
    failure_ = nullptr;
    switchFrom(host_, next());
    if (failure_ == nullptr && std::ranges::count(states_, State::kEnded) != ssize(states_)) {
      failure_ = std::make_exception_ptr(KernelFault(describeDeadlock()));
    }
    if (failure_ != nullptr) {
      cancel();
      std::rethrow_exception(failure_);
    }
    const bool is_intact =
        dynamic_->isIntact() &&
        std::ranges::all_of(variables_, [](const auto& v) { return v.second.isIntact(); });
    if (!is_intact) {
      throw fault("shared memory of the block was written beyond its end");
    }
  }

  /// The life of a worker: its thread of one block after another.
  [[noreturn]] void work() {
    for (;;) {
      const std::size_t self = current_;
      states_[self] = State::kReady;
      try {
        (*thread_)();
      } catch (const Cancelled&) {
      } catch (...) {
        failure_ = std::current_exception();
      }
      states_[self] = State::kEnded;
      setReady(self, false);
      switchFrom(*workers_[self], failure_ != nullptr ? kNone : next());
    }
  }

  /// Arrives at the meeting, and waits unless it is the last one.
  void meet(Meeting& meeting, std::size_t expected, const char* whom, std::source_location where) {
    if (meeting.arrived == 0) {
      meeting.where = where;
    } else if (!isSamePlace(meeting.where, where)) {
      throw fault(fmt::format("it waits for {} at {}, but thread {} at {}", whom, toString(where),
                              meeting.waiting.front(), toString(meeting.where)));
    }
    ++meeting.arrived;
    meeting.waiting.push_back(current_);
    if (meeting.arrived < expected) {
      states_[current_] = State::kWaiting;
      setReady(current_, false);
    } else {
      for (const std::size_t thread : meeting.waiting) {
        states_[thread] = State::kReady;
        setReady(thread, true);
      }
      meeting.arrived = 0;
      meeting.waiting.clear();
    }
    const std::size_t self = current_;
    const std::size_t chosen = next();
    if (chosen != self) {
      switchFrom(*workers_[self], chosen);
    }
    if (failure_ != nullptr) {
      throw Cancelled();
    }
  }

  /// To the thread of that number; kNone: to the launch.
  void switchFrom(Fibre& from, std::size_t to) {
    if (to != kNone) {
      current_ = to;
      threadIdx = placeOf(to, blockDim);
    }
    from.switchTo(to == kNone ? host_ : *workers_[to]);
  }

  void setReady(std::size_t thread, bool is_ready) {
    const std::uint64_t bit = std::uint64_t{1} << (thread % 64);
    std::uint64_t& word = ready_[thread / 64];
    word = is_ready ? word | bit : word & ~bit;
  }

  /// The thread that runs next; kNone if all have ended or wait.
  std::size_t next() {
    switch (schedule_.order) {
      case Schedule::Order::kForward:
        return firstReady(0);
      case Schedule::Order::kBackward:
        return lastReady();
      case Schedule::Order::kShuffled:
        break;
    }
    random_ = splitmix64(random_);
    const std::size_t found = firstReady(random_ % threads_);
    return found == kNone ? firstReady(0) : found;
  }

  [[nodiscard]] std::size_t firstReady(std::size_t from) const {
    std::uint64_t word = ready_[from / 64] >> (from % 64) << (from % 64);
    for (std::size_t i = from / 64;;) {
      if (word != 0) {
        return 64 * i + static_cast<std::size_t>(std::countr_zero(word));
      }
      if (++i == ready_.size()) {
        return kNone;
      }
      word = ready_[i];
    }
  }

  [[nodiscard]] std::size_t lastReady() const {
    for (std::size_t i = ready_.size(); i-- > 0;) {
      if (ready_[i] != 0) {
        return 64 * i + 63 - static_cast<std::size_t>(std::countl_zero(ready_[i]));
      }
    }
    return kNone;
  }

  std::string describeDeadlock() const {
    std::string text =
        fmt::format("block ({}, {}, {}) hangs: {} of {} threads have ended", blockIdx.x, blockIdx.y,
                    blockIdx.z, std::ranges::count(states_, State::kEnded), threads_);
    const auto add = [&](const Meeting& meeting, const char* whom) {
      if (meeting.arrived > 0) {
        text += fmt::format(", {} wait for {} at {} (thread {} first)", meeting.arrived, whom,
                            toString(meeting.where), meeting.waiting.front());
      }
    };
    add(barrier_, "__syncthreads");
    for (const auto& of_warp : warps_) {
      for (const WarpMeeting& exchange : of_warp) {
        add(exchange.meeting, "others of their warp");
      }
    }
    return text;
  }

  /// Ends what still waits, so that its stack can be used again.
  void cancel() {
    for (std::size_t i = 0; i < threads_; ++i) {
      if (states_[i] == State::kWaiting || states_[i] == State::kReady) {
        switchFrom(host_, i);
      }
    }
  }

  Schedule schedule_;
  std::uint64_t random_ = 0;
  const std::function<void()>* thread_ = nullptr;
  std::size_t threads_ = 0;
  std::size_t current_ = 0;
  std::vector<State> states_;
  std::array<std::uint64_t, kMaxThreadsPerBlock / 64> ready_{};  ///< a bit for each thread
  Meeting barrier_;
  std::vector<std::deque<WarpMeeting>> warps_;
  std::unique_ptr<SharedMemory> dynamic_;
  std::map<int, SharedMemory> variables_;
  std::exception_ptr failure_;
  Fibre host_;
  std::vector<std::unique_ptr<Fibre>> workers_;  ///< kept: setting a stack up takes long
};

Grid& grid() {
  static Grid instance;
  return instance;
}

}  // namespace

void setSchedule(const Schedule& schedule) {
  grid().setSchedule(schedule);
}

void runGrid(const LaunchShape& shape, const std::function<void()>& thread) {
  grid().run(shape, thread);
}

void waitForBlock(std::source_location where) {
  grid().waitForBlock(where);
}

const std::array<std::uint64_t, kWarpThreads>& exchangeInWarp(unsigned mask, std::uint64_t value,
                                                              std::source_location where) {
  return grid().exchangeInWarp(mask, value, where);
}

std::byte* sharedVariable(int id, std::size_t bytes) {
  return grid().sharedVariable(id, bytes);
}

std::byte* dynamicSharedMemory() {
  return grid().dynamicSharedMemory();
}

unsigned laneOfThread() {
  return grid().laneOfThread();
}

}  // namespace dubito::cuda_on_cpu
