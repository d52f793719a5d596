// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/base/in_quotes.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/stored_tensor_torch.h"

namespace dubito {
namespace {

constexpr const char* kCopyBoth = "copy it together with the files of its weights";

/// Lets the system drop the pages of a mapped file that have been copied, so that weights are not
/// in memory twice.
void releasePages(std::string_view bytes) {
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / kPage * kPage;
  if (begin < end) {
    // The pages are read from the file again if anything else in them is needed.
    static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
  }
}

/// Bytes that the elements of a tensor need. Throws RefusedOnnx if they overflow.
std::int64_t neededBytes(const OnnxTensor& tensor) {
  std::int64_t needed = 0;
  if (__builtin_mul_overflow(elementsOf(tensor), static_cast<std::int64_t>(bytesOf(tensor.type)),
                             &needed)) {
    refuseDamaged(fmt::format("the weights {} have the impossible size {}", inQuotes(tensor.name),
                              shownText(fmt::format("{}", fmt::join(tensor.shape, " x ")), 200)));
  }
  return needed;
}

/// Whether a path, as the file states it, stays inside the folder.
bool staysInside(const std::filesystem::path& location) {
  return location.is_relative() && !location.has_root_path() &&
         std::ranges::none_of(location, [](const auto& part) { return part == ".."; });
}

}  // namespace

at::ScalarType torchTypeOf(OnnxType type) {
  switch (type) {
    case OnnxType::kFloat:
      return at::kFloat;
    case OnnxType::kUint8:
      return at::kByte;
    case OnnxType::kInt8:
      return at::kChar;
    case OnnxType::kInt16:
      return at::kShort;
    case OnnxType::kInt32:
      return at::kInt;
    case OnnxType::kInt64:
      return at::kLong;
    case OnnxType::kBool:
      return at::kBool;
    case OnnxType::kFloat16:
      return at::kHalf;
    case OnnxType::kDouble:
      return at::kDouble;
    case OnnxType::kBfloat16:
      return at::kBFloat16;
    default:
      refuseUnsupported(fmt::format(
          "it computes with elements of type {}, which are not supported; export it in float32",
          nameOf(type)));
  }
}

std::int64_t elementsOf(const OnnxTensor& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.shape) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
      refuseDamaged(fmt::format("the weights {} have the impossible size {}", inQuotes(tensor.name),
                                shownText(fmt::format("{}", fmt::join(tensor.shape, " x ")), 200)));
    }
  }
  constexpr std::size_t kMaxAxes = 64;
  if (tensor.shape.size() > kMaxAxes) {
    refuseDamaged(
        fmt::format("the weights {} have {} axes", inQuotes(tensor.name), tensor.shape.size()));
  }
  return count;
}

at::Tensor StoredTensors::read(const OnnxTensor& tensor) {
  const at::ScalarType type = torchTypeOf(tensor.type);
  const std::string_view bytes = storedBytes(tensor);
  if (bytes.size() != static_cast<std::uint64_t>(neededBytes(tensor))) {
    refuseDamaged(fmt::format("the weights {} of size {} have {} bytes", inQuotes(tensor.name),
                              fmt::join(tensor.shape, " x "), bytes.size()));
  }
  at::Tensor values = at::empty(tensor.shape, type);
  if (tensor.type == OnnxType::kBool) {
    const std::span<bool> target(values.mutable_data_ptr<bool>(), bytes.size());
    std::ranges::transform(bytes, target.begin(), [](char byte) { return byte != 0; });
  } else if (!bytes.empty()) {
    std::memcpy(values.mutable_data_ptr(), bytes.data(), bytes.size());
  }
  if (!tensor.is_converted) {
    releasePages(bytes);
  }
  return values;
}

std::string_view StoredTensors::storedBytes(const OnnxTensor& tensor) {
  if (tensor.location.empty()) {
    return tensor.is_converted ? std::string_view(tensor.converted) : tensor.bytes;
  }
  const ByteSpan bytes = external(tensor.location).bytes();
  const std::int64_t length = tensor.length ? *tensor.length : neededBytes(tensor);
  if (length < 0 || !liesInside(static_cast<std::uint64_t>(tensor.offset),
                                static_cast<std::uint64_t>(length), bytes.size())) {
    refuseDamaged(fmt::format("the weights {} lie beyond the end of {}, which has {} bytes",
                              inQuotes(tensor.name), inQuotes(tensor.location), bytes.size()));
  }
  return {reinterpret_cast<const char*>(bytes.data()) + tensor.offset,
          static_cast<std::size_t>(length)};
}

const MappedFile& StoredTensors::external(std::string_view location) {
  if (const auto known = external_.find(location); known != external_.end()) {
    return *known->second;
  }
  namespace fs = std::filesystem;
  const fs::path stated(location);
  std::error_code code;
  const fs::path folder = fs::canonical(fs::absolute(file_.path, code).parent_path(), code);
  const fs::path path = folder / stated;
  const fs::path actual = fs::weakly_canonical(path, code);
  const bool is_inside =
      !code && staysInside(stated) && std::ranges::mismatch(folder, actual).in1 == folder.end();
  if (!is_inside) {
    refuseUnsupported(
        fmt::format("its weights are in {}, and only files in its own folder are read; export it "
                    "again into one folder",
                    inQuotes(location)));
  }
  auto mapped = MappedFile::open(actual.string());
  if (!mapped) {
    throw RefusedOnnx(mapped.error().code,
                      fmt::format("its weights are in {}, which cannot be read; {} (a confined "
                                  "process reads those named as the network or ending in .data)",
                                  inQuotes(location), kCopyBoth));
  }
  return *external_.emplace(location, *std::move(mapped)).first->second;
}

}  // namespace dubito
