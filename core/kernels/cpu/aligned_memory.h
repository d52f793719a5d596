// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace dubito {

/// Alignment in bytes: the width of the widest SIMD vectors.
inline constexpr std::align_val_t kVectorAlignment{64};

struct AlignedDelete {
  void operator()(void* memory) const { ::operator delete[](memory, kVectorAlignment); }
};

/// Memory aligned to kVectorAlignment.
template <class T>
using AlignedMemory = std::unique_ptr<T[], AlignedDelete>;

/// Uninitialised memory for `count` elements.
template <class T>
[[nodiscard]] AlignedMemory<T> makeAligned(std::int64_t count) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
  return AlignedMemory<T>(static_cast<T*>(::operator new[](bytes, kVectorAlignment)));
}

}  // namespace dubito
