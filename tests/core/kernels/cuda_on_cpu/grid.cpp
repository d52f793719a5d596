// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernels/cuda_on_cpu/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/kernels/philox.h"
#include "tests/core/kernels/cuda_on_cpu/fibre.h"
#include "tests/core/kernels/cuda_on_cpu/race_watch.h"

dubito::cuda_on_cpu::Extent3 threadIdx;
dubito::cuda_on_cpu::Extent3 blockIdx;
dubito::cuda_on_cpu::Extent3 blockDim;
dubito::cuda_on_cpu::Extent3 gridDim;

namespace dubito::cuda_on_cpu {
namespace {

// What a write beyond shared memory destroys.
constexpr std::size_t kGuardBytes = kGuardsSharedMemory ? 64 : 0;
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
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

std::string toString(const std::source_location& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}

std::string toString(const Extent3& place) {
  return fmt::format("({}, {}, {})", place.x, place.y, place.z);
}

/// Threads that wait for each other.
struct Meeting {
  std::source_location where;        ///< of those that wait
  std::vector<std::size_t> waiting;  ///< workers
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

/// A block at work.
struct Block {
  Extent3 place;
  std::size_t running = 0;  ///< threads that have not ended
  Meeting barrier;
  std::vector<std::deque<WarpMeeting>> warps;
  std::unique_ptr<SharedMemory> dynamic;
  std::map<int, SharedMemory> variables;

  [[nodiscard]] bool isMemoryIntact() const {
    return dynamic->isIntact() && std::ranges::all_of(variables, [](const auto& named) {
             return named.second.isIntact();
           });
  }
};

/// Runs one launch after another. A worker runs the same thread of every block in its slot.
class Grid {
 public:
  void setSchedule(const Schedule& schedule) {
    schedule_ = schedule;
    random_ = schedule.key;
  }

  void run(const LaunchShape& shape, const std::function<void()>& thread) {
    thread_ = &thread;
    shared_bytes_ = shape.shared_bytes;
    gridDim = shape.grid;
    if (schedule_.max_blocks > 0) {
      gridDim.x = std::min(gridDim.x, schedule_.max_blocks);
    }
    blockDim = shape.block;
    threads_ = countOf(shape.block);
    blocks_ = countOf(gridDim);
    blocks_begun_ = 0;
    failure_ = nullptr;
    slots_.resize(std::min<std::size_t>(schedule_.blocks_at_once, blocks_));
    const std::size_t workers = slots_.size() * threads_;
    while (workers_.size() < workers) {
      workers_.push_back(std::make_unique<Fibre>([this] { work(); }));
    }
    seats_.clear();
    for (std::size_t i = 0; i < workers; ++i) {
      seats_.push_back({i / threads_, i % threads_, placeOf(i % threads_, blockDim)});
    }
    ready_.assign(workers / 64 + 1, 0);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      beginBlock(slot);
    }
    giveOrder(&launch_begun_);
    switchFrom(host_, next());
    if (failure_ == nullptr &&
        std::ranges::count(seats_, State::kEnded, &Seat::state) != ssize(seats_)) {
      failure_ = std::make_exception_ptr(KernelFault(describeDeadlock()));
    }
    if (failure_ != nullptr) {
      cancel();
    }
    expectOrder(&launch_ended_);
    if (failure_ != nullptr) {
      std::rethrow_exception(failure_);
    }
  }

  void waitForBlock(std::source_location where) {
    Meeting& barrier = block().barrier;
    giveOrder(&barrier);
    meet(barrier, threads_, "__syncthreads", where);
    expectOrder(&barrier);
  }

  void waitForWarp(unsigned mask, std::source_location where) {
    WarpMeeting& exchange = meetingOf(mask, where);
    giveOrder(&exchange);
    meet(exchange.meeting, lanesOf(mask), "others of its warp", where);
    expectOrder(&exchange);
  }

  const std::array<std::uint64_t, kWarpThreads>& exchangeInWarp(unsigned mask, std::uint64_t value,
                                                                std::source_location where) {
    WarpMeeting& exchange = meetingOf(mask, where);
    exchange.given[laneOfThread()] = value;
    if (exchange.meeting.waiting.size() + 1 == lanesOf(mask)) {
      exchange.published = exchange.given;
    }
    meet(exchange.meeting, lanesOf(mask), "others of its warp", where);
    return exchange.published;
  }

  std::byte* sharedVariable(int id, std::size_t bytes) {
    return block().variables.try_emplace(id, bytes).first->second.data();
  }
  [[nodiscard]] std::byte* dynamicSharedMemory() { return block().dynamic->data(); }
  [[nodiscard]] unsigned laneOfThread() const {
    return static_cast<unsigned>(seats_[current_].number % kWarpThreads);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  enum class State { kNew, kReady, kWaiting, kEnded };

  /// What a worker runs.
  struct Seat {
    std::size_t slot = 0;    ///< of its block
    std::size_t number = 0;  ///< of its thread in the block
    Extent3 thread;
    State state = State::kNew;
  };

  Block& block() { return slots_[seats_[current_].slot]; }

  KernelFault fault(const std::string& what) const {
    return KernelFault(
        fmt::format("thread {} of block {}: {}", toString(threadIdx), toString(blockIdx), what));
  }

  /// Where the lanes of the mask meet, with the running thread's warp.
  WarpMeeting& meetingOf(unsigned mask, std::source_location where) {
    const std::size_t warp = seats_[current_].number / kWarpThreads;
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
    auto& of_warp = block().warps[warp];
    auto found = std::ranges::find(of_warp, mask, &WarpMeeting::mask);
    if (found == of_warp.end()) {
      of_warp.push_back({.mask = mask, .meeting = {}});
      found = of_warp.end() - 1;
    }
    return *found;
  }

  static std::size_t lanesOf(unsigned mask) {
    return static_cast<std::size_t>(std::popcount(mask));
  }

  /// The next block of the grid, in that slot.
  void beginBlock(std::size_t slot) {
    const bool is_backward = schedule_.order == Schedule::Order::kBackward;
    const std::size_t number = is_backward ? blocks_ - 1 - blocks_begun_ : blocks_begun_;
    ++blocks_begun_;
    Block& begun = slots_[slot];
    begun.place = placeOf(number, gridDim);
    begun.running = threads_;
    begun.barrier = {};
    begun.warps.assign((threads_ + kWarpThreads - 1) / kWarpThreads, {});
    begun.dynamic = std::make_unique<SharedMemory>(shared_bytes_);
    begun.variables.clear();
    for (std::size_t i = slot * threads_; i < (slot + 1) * threads_; ++i) {
      seats_[i].state = State::kNew;
      setReady(i, true);
    }
  }

  /// The life of a worker.
  [[noreturn]] void work() {
    const Unwatched unwatched;
    for (;;) {
      const std::size_t self = current_;
      seats_[self].state = State::kReady;
      try {
        runThread();
      } catch (const Cancelled&) {
      } catch (...) {
        failure_ = std::current_exception();
      }
      endThread(self);
      const std::size_t chosen = failure_ != nullptr ? kNone : next();
      if (chosen == self) {
        enter(self);
      } else {
        switchFrom(*workers_[self], chosen);
      }
    }
  }

  void runThread() {
    expectOrder(&launch_begun_);
    const Watched watched;
    (*thread_)();
  }

  void endThread(std::size_t self) {
    giveOrder(&launch_ended_);
    seats_[self].state = State::kEnded;
    setReady(self, false);
    Block& own = block();
    if (--own.running > 0 || failure_ != nullptr) {
      return;
    }
    if (!own.isMemoryIntact()) {
      failure_ =
          std::make_exception_ptr(fault("shared memory of the block was written beyond its end"));
    } else if (blocks_begun_ < blocks_) {
      beginBlock(seats_[self].slot);
    }
  }

  /// Arrives at the meeting, and waits unless it is the last one.
  void meet(Meeting& meeting, std::size_t expected, const char* whom, std::source_location where) {
    const std::size_t self = current_;
    if (meeting.waiting.empty()) {
      meeting.where = where;
    } else if (!isSamePlace(meeting.where, where)) {
      throw fault(fmt::format("it waits for {} at {}, but thread {} at {}", whom, toString(where),
                              seats_[meeting.waiting.front()].number, toString(meeting.where)));
    }
    meeting.waiting.push_back(self);
    if (meeting.waiting.size() < expected) {
      seats_[self].state = State::kWaiting;
      setReady(self, false);
    } else {
      for (const std::size_t thread : meeting.waiting) {
        seats_[thread].state = State::kReady;
        setReady(thread, true);
      }
      meeting.waiting.clear();
    }
    if (const std::size_t chosen = next(); chosen != self) {
      switchFrom(*workers_[self], chosen);
    }
    if (failure_ != nullptr) {
      throw Cancelled();
    }
  }

  /// Makes worker `self` the one whose thread runs.
  void enter(std::size_t self) {
    current_ = self;
    threadIdx = seats_[self].thread;
    blockIdx = block().place;
  }

  /// To the worker of that number; kNone: to the launch.
  void switchFrom(Fibre& from, std::size_t to) {
    if (to == kNone) {
      from.switchTo(host_);
      return;
    }
    enter(to);
    from.switchTo(*workers_[to]);
  }

  void setReady(std::size_t worker, bool is_ready) {
    const std::uint64_t bit = std::uint64_t{1} << (worker % 64);
    std::uint64_t& word = ready_[worker / 64];
    word = is_ready ? word | bit : word & ~bit;
  }

  /// The worker that runs next; kNone if all have ended or wait.
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
    const std::size_t found = firstReady(random_ % seats_.size());
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

  [[nodiscard]] std::string describeDeadlock() const {
    std::string text = "the launch hangs";
    const auto add = [&](const Meeting& meeting, const char* whom) {
      if (!meeting.waiting.empty()) {
        text += fmt::format(", {} wait for {} at {} (thread {} first)", meeting.waiting.size(),
                            whom, toString(meeting.where), seats_[meeting.waiting.front()].number);
      }
    };
    for (const Block& hung : slots_) {
      text += fmt::format("; block {}: {} of {} threads have ended", toString(hung.place),
                          threads_ - hung.running, threads_);
      add(hung.barrier, "__syncthreads");
      for (const auto& of_warp : hung.warps) {
        for (const WarpMeeting& exchange : of_warp) {
          add(exchange.meeting, "others of their warp");
        }
      }
    }
    return text;
  }

  /// Ends what still waits, so that its stack can be used again.
  void cancel() {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (seats_[i].state == State::kWaiting || seats_[i].state == State::kReady) {
        switchFrom(host_, i);
      }
    }
  }

  char launch_begun_ = 0;  ///< places of an order alone
  char launch_ended_ = 0;
  Schedule schedule_;
  std::uint64_t random_ = 0;
  const std::function<void()>* thread_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::size_t threads_ = 0;  ///< of a block
  std::size_t blocks_ = 0;
  std::size_t blocks_begun_ = 0;
  std::size_t current_ = 0;           ///< the worker whose thread runs
  std::vector<Seat> seats_;           ///< of the workers
  std::vector<std::uint64_t> ready_;  ///< a bit for each worker
  std::vector<Block> slots_;
  std::exception_ptr failure_;
  Fibre host_;
  std::vector<std::unique_ptr<Fibre>> workers_;  ///< kept: setting a stack up takes long
};

Grid& grid() {
  // Never destroyed: its fibres do not end.
  static Grid& instance = *new Grid;
  return instance;
}

}  // namespace

void setSchedule(const Schedule& schedule) {
  grid().setSchedule(schedule);
}

void runGrid(const LaunchShape& shape, const std::function<void()>& thread) {
  const Unwatched unwatched;
  grid().run(shape, thread);
}

void waitForWarp(unsigned mask, std::source_location where) {
  const Unwatched unwatched;
  grid().waitForWarp(mask, where);
}

void waitForBlock(std::source_location where) {
  const Unwatched unwatched;
  grid().waitForBlock(where);
}

const std::array<std::uint64_t, kWarpThreads>& exchangeInWarp(unsigned mask, std::uint64_t value,
                                                              std::source_location where) {
  const Unwatched unwatched;
  return grid().exchangeInWarp(mask, value, where);
}

std::byte* sharedVariable(int id, std::size_t bytes) {
  const Unwatched unwatched;
  return grid().sharedVariable(id, bytes);
}

std::byte* dynamicSharedMemory() {
  const Unwatched unwatched;
  return grid().dynamicSharedMemory();
}

unsigned laneOfThread() {
  const Unwatched unwatched;
  return grid().laneOfThread();
}

void requireAligned(const void* address, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
    throw KernelFault(fmt::format("{} bytes at once are not aligned", bytes));
  }
}

}  // namespace dubito::cuda_on_cpu
