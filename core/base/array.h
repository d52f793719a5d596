// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dubito {

/// A dense row-major array of any rank. Copies share the elements, so runs, plots and files can
/// pass the same memory around; a slice along the first axis is a view. Write elements
/// (mutableData) only while building an array; once it is shared, treat it as immutable.
template <class T>
class Array {
 public:
  /// An empty array of rank 1.
  Array() : shape_{0} {}

  /// An array of zeros. Throws std::invalid_argument for a negative extent.
  static Array zeros(std::vector<std::int64_t> shape) {
    const std::int64_t count = elementCount(shape);
    auto storage = std::make_shared<T[]>(static_cast<std::size_t>(count));
    T* const data = storage.get();
    return Array(std::move(shape), data, std::move(storage));
  }

  /// Takes over `values`, in row-major order. Throws std::invalid_argument if their number does not
  /// match `shape`.
  static Array fromVector(std::vector<std::int64_t> shape, std::vector<T> values) {
    if (elementCount(shape) != static_cast<std::int64_t>(values.size())) {
      throw std::invalid_argument(
          "Array::fromVector: the shape does not match the number of values");
    }
    auto storage = std::make_shared<std::vector<T>>(std::move(values));
    T* const data = storage->data();
    return Array(std::move(shape), data, std::move(storage));
  }
  static Array fromVector(std::vector<T> values) {
    const auto size = static_cast<std::int64_t>(values.size());
    return fromVector({size}, std::move(values));
  }

  /// A view of memory that `owner` keeps alive (a mapped file, a tensor).
  static Array view(std::vector<std::int64_t> shape, const T* data,
                    std::shared_ptr<const void> owner) {
    elementCount(shape);
    return Array(std::move(shape), const_cast<T*>(data), std::move(owner));
  }

  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  /// Extent along `axis`. Throws std::out_of_range if there is no such axis.
  [[nodiscard]] std::int64_t extent(std::size_t axis) const { return shape_.at(axis); }
  [[nodiscard]] std::int64_t size() const { return elementCount(shape_); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::span<const T> values() const {
    return {data_, static_cast<std::size_t>(size())};
  }
  /// Call only while building the array, before it is shared.
  [[nodiscard]] T* mutableData() { return data_; }
  [[nodiscard]] std::span<T> mutableValues() { return {data_, static_cast<std::size_t>(size())}; }

  /// Number of elements in one entry along the first axis.
  [[nodiscard]] std::int64_t rowSize() const {
    return std::accumulate(shape_.begin() + 1, shape_.end(), std::int64_t{1}, std::multiplies<>());
  }
  /// The elements of entry `i` along the first axis, in row-major order. `i` is not checked.
  [[nodiscard]] std::span<const T> row(std::int64_t i) const {
    const std::int64_t size = rowSize();
    return {data_ + i * size, static_cast<std::size_t>(size)};
  }
  [[nodiscard]] std::span<T> mutableRow(std::int64_t i) {
    const std::int64_t size = rowSize();
    return {data_ + i * size, static_cast<std::size_t>(size)};
  }

  /// Entries [begin, end) along the first axis, sharing memory. Throws std::out_of_range for an
  /// invalid range.
  [[nodiscard]] Array slice(std::int64_t begin, std::int64_t end) const {
    if (begin < 0 || end < begin || end > shape_.at(0)) {
      throw std::out_of_range("Array::slice: range outside the first axis");
    }
    std::vector<std::int64_t> shape = shape_;
    shape[0] = end - begin;
    return Array(std::move(shape), data_ + begin * rowSize(), owner_);
  }

  /// The same elements, sharing memory, with the given shape. Throws std::invalid_argument if the
  /// sizes differ.
  [[nodiscard]] Array reshaped(std::vector<std::int64_t> shape) const {
    if (elementCount(shape) != size()) {
      throw std::invalid_argument("Array::reshaped: the shapes differ in size");
    }
    return Array(std::move(shape), data_, owner_);
  }

  /// The owner of the memory, for creating other views of it.
  [[nodiscard]] const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  Array(std::vector<std::int64_t> shape, T* data, std::shared_ptr<const void> owner)
      : shape_(std::move(shape)), data_(data), owner_(std::move(owner)) {}

  static std::int64_t elementCount(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
      if (extent < 0) {
        throw std::invalid_argument("Array: negative extent");
      }
      count *= extent;
    }
    return count;
  }

  std::vector<std::int64_t> shape_;
  T* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace dubito
