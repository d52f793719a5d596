// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/mapping_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace dubito {

struct MappingGuard::Slot {
  std::atomic<std::uintptr_t> begin{0};  ///< 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> broken{false};
};

namespace {

// A signal handler cannot lock or allocate: it walks blocks that are never freed.
struct Block {
  std::array<MappingGuard::Slot, 256> slots;
  std::atomic<Block*> next{nullptr};
};

Block first_block;
struct sigaction previous_action;
std::uintptr_t page_bytes = 4096;

MappingGuard::Slot* slotAt(std::uintptr_t address) {
  for (Block* block = &first_block; block != nullptr; block = block->next.load()) {
    for (MappingGuard::Slot& slot : block->slots) {
      const std::uintptr_t begin = slot.begin.load();
      const bool inside = begin != 0 && address >= begin && address < slot.end.load();
      // Checked twice: another thread may be reassigning the slot to another mapping.
      if (inside && slot.begin.load() == begin) {
        return &slot;
      }
    }
  }
  return nullptr;
}

void onBusError(int signal, siginfo_t* info, void* context) {
  const int errno_before = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool is_fault = info->si_code > 0;  // not sent by a program
  MappingGuard::Slot* const slot = is_fault ? slotAt(address) : nullptr;
  if (slot != nullptr) {
    const std::uintptr_t page = address / page_bytes * page_bytes;
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), slot->end.load() - page, PROT_READ,
                               MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros != MAP_FAILED) {
      slot->broken.store(true);
      errno = errno_before;
      return;
    }
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // ends the program as soon as this handler returns
  }
}

void installHandler() {
  page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &previous_action);
}

std::mutex& registryMutex() {
  static std::mutex mutex;
  return mutex;
}

/// A free slot. Call with the mutex locked.
MappingGuard::Slot& freeSlot() {
  for (Block* block = &first_block;; block = block->next.load()) {
    for (MappingGuard::Slot& slot : block->slots) {
      if (slot.begin.load() == 0) {
        return slot;
      }
    }
    if (block->next.load() == nullptr) {
      block->next.store(new Block);
    }
  }
}

}  // namespace

MappingGuard::MappingGuard(const void* data, std::size_t size) {
  static std::once_flag installed;
  std::call_once(installed, installHandler);
  const std::scoped_lock lock(registryMutex());
  slot_ = &freeSlot();
  slot_->broken.store(false);
  slot_->end.store(reinterpret_cast<std::uintptr_t>(data) + size);
  slot_->begin.store(reinterpret_cast<std::uintptr_t>(data));
}

MappingGuard::~MappingGuard() {
  const std::scoped_lock lock(registryMutex());
  slot_->begin.store(0);
}

bool MappingGuard::broken() const {
  return slot_->broken.load();
}

}  // namespace dubito
