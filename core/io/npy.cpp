// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/io/npy_header.h"
#include "core/io/utf.h"

namespace dubito {
namespace {

static_assert(std::endian::native == std::endian::little,
              "views of files assume a little-endian machine");

/// A 16-bit number stored as its bits.
struct Half {
  std::uint16_t bits;
};

float widen(Half half) {
  const int sign = half.bits >> 15;
  const int exponent = (half.bits >> 10) & 0x1F;
  const int fraction = half.bits & 0x3FF;
  float magnitude = 0.0F;
  if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else if (exponent < 31) {
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  } else if (fraction == 0) {
    magnitude = std::numeric_limits<float>::infinity();
  } else {
    magnitude = std::numeric_limits<float>::quiet_NaN();
  }
  return sign != 0 ? -magnitude : magnitude;
}

std::uint8_t widen(bool value) {
  return value ? 1 : 0;
}

template <class T>
T widen(T value) {
  return value;
}

template <class Stored>
Stored loadElement(const std::byte* from, bool swap) {
  std::byte raw[sizeof(Stored)];
  std::memcpy(raw, from, sizeof raw);
  if (swap) {
    std::reverse(std::begin(raw), std::end(raw));
  }
  if constexpr (std::is_same_v<Stored, bool>) {
    return raw[0] != std::byte{0};
  } else {
    return std::bit_cast<Stored>(raw);
  }
}

/// Copies the elements to row-major order.
template <class Stored>
auto copyElements(const NpyHeader& header, const std::byte* stored) {
  using T = decltype(widen(Stored{}));
  Array<T> out = Array<T>::zeros(header.shape);
  T* const target = out.mutableData();
  const std::int64_t count = out.size();
  if (!header.fortran_order || header.shape.size() < 2) {
    for (std::int64_t i = 0; i < count; ++i) {
      target[i] = widen(loadElement<Stored>(stored + i * static_cast<std::int64_t>(sizeof(Stored)),
                                            header.big_endian));
    }
    return AnyArray(std::move(out));
  }
  const std::size_t rank = header.shape.size();
  std::vector<std::int64_t> stride(rank, 1);
  for (std::size_t axis = 1; axis < rank; ++axis) {
    stride[axis] = stride[axis - 1] * header.shape[axis - 1];
  }
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t from = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    target[i] = widen(loadElement<Stored>(stored + from * static_cast<std::int64_t>(sizeof(Stored)),
                                          header.big_endian));
    for (std::size_t axis = rank; axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < header.shape[axis]) {
        break;
      }
      from -= stride[axis] * header.shape[axis];
      index[axis] = 0;
    }
  }
  return AnyArray(std::move(out));
}

/// Copies elements that are stored as they are used, but not where their type may begin: entries of
/// archives begin anywhere.
template <class Stored>
Array<Stored> copyBytes(const NpyHeader& header, const std::byte* stored) {
  const auto count = static_cast<std::size_t>(header.data_bytes) / sizeof(Stored);
  const std::shared_ptr<Stored[]> copy = std::make_shared_for_overwrite<Stored[]>(count);
  std::memcpy(copy.get(), stored, count * sizeof(Stored));
  return Array<Stored>::view(header.shape, copy.get(), copy);
}

template <class Stored>
AnyArray makeArray(const NpyHeader& header, const std::byte* stored,
                   const std::shared_ptr<const void>& owner) {
  if constexpr (std::is_arithmetic_v<Stored> && !std::is_same_v<Stored, bool>) {
    const bool row_major = !header.fortran_order || header.shape.size() < 2;
    const bool native = !header.big_endian || sizeof(Stored) == 1;
    const bool aligned = reinterpret_cast<std::uintptr_t>(stored) % alignof(Stored) == 0;
    if (row_major && native) {
      return aligned
                 ? Array<Stored>::view(header.shape, reinterpret_cast<const Stored*>(stored), owner)
                 : copyBytes<Stored>(header, stored);
    }
  }
  return copyElements<Stored>(header, stored);
}

Expected<AnyArray> makeAnyArray(const NpyHeader& header, const std::byte* stored,
                                const std::shared_ptr<const void>& owner, const std::string& name) {
  const std::string type = header.kind + std::to_string(header.item_bytes);
  using Maker =
      AnyArray (*)(const NpyHeader&, const std::byte*, const std::shared_ptr<const void>&);
  constexpr std::pair<const char*, Maker> kMakers[] = {
      {"b1", makeArray<bool>},         {"u1", makeArray<std::uint8_t>},
      {"i1", makeArray<std::int8_t>},  {"u2", makeArray<std::uint16_t>},
      {"i2", makeArray<std::int16_t>}, {"u4", makeArray<std::uint32_t>},
      {"i4", makeArray<std::int32_t>}, {"u8", makeArray<std::uint64_t>},
      {"i8", makeArray<std::int64_t>}, {"f2", makeArray<Half>},
      {"f4", makeArray<float>},        {"f8", makeArray<double>},
  };
  for (const auto& [known, make] : kMakers) {
    if (type == known) {
      return make(header, stored, owner);
    }
  }
  return fail(ErrorCode::kUnsupported,
              name + ": contains text where numbers are needed; save it as an array of numbers");
}

}  // namespace

Expected<AnyArray> decodeNpy(ByteSpan bytes, const std::shared_ptr<const void>& owner,
                             const std::string& name) {
  const Expected<NpyHeader> header = parseNpyHeader(bytes, bytes.size(), name);
  if (!header) {
    return failWith(header);
  }
  try {
    return makeAnyArray(*header, bytes.data() + header->data_offset, owner, name);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: its {} bytes do not fit into memory; use a smaller part of it",
                            name, header->data_bytes));
  }
}

Expected<std::string> decodeNpyText(ByteSpan bytes, const std::string& name) {
  const Expected<NpyHeader> header = parseNpyHeader(bytes, bytes.size(), name);
  if (!header) {
    return failWith(header);
  }
  const ByteSpan data = bytes.subspan(static_cast<std::size_t>(header->data_offset));
  const bool one_string = (header->kind == 'U' || header->kind == 'S') &&
                          header->data_bytes == static_cast<std::uint64_t>(header->item_bytes);
  const bool byte_vector = header->kind == 'u' && header->item_bytes == 1;
  if (!one_string && !byte_vector) {
    return fail(ErrorCode::kMalformed,
                name + ": is not text; save it with numpy.array(text) or as bytes");
  }
  std::string text = header->kind == 'U'
                         ? utf8FromUtf32(data, header->big_endian)
                         : std::string(reinterpret_cast<const char*>(data.data()), data.size());
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

bool isNpyOfTexts(ByteSpan bytes) {
  const Expected<NpyHeader> header = parseNpyHeader(bytes, bytes.size(), "");
  return header && (header->kind == 'U' || header->kind == 'S');
}

Expected<TextArray> decodeNpyTexts(ByteSpan bytes, const std::string& name) {
  const Expected<NpyHeader> header = parseNpyHeader(bytes, bytes.size(), name);
  if (!header) {
    return failWith(header);
  }
  const bool wide = header->kind == 'U';
  if ((!wide && header->kind != 'S') || (header->fortran_order && header->shape.size() > 1)) {
    return fail(ErrorCode::kUnsupported,
                name + ": is not an array of texts in row-major order; save it with numpy.save");
  }
  TextArray texts{header->shape, {}};
  const ByteSpan data = bytes.subspan(static_cast<std::size_t>(header->data_offset));
  const auto width = static_cast<std::size_t>(header->item_bytes);
  std::size_t count = 1;
  for (const std::int64_t extent : header->shape) {
    count *= static_cast<std::size_t>(extent);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ByteSpan item = data.subspan(i * width, width);
    std::string text = wide ? utf8FromUtf32(item, header->big_endian)
                            : std::string(reinterpret_cast<const char*>(item.data()), item.size());
    text.erase(text.find_last_not_of('\0') + 1);
    texts.values.push_back(std::move(text));
  }
  return texts;
}

std::string encodeNpyText(const std::string& text) {
  const std::string elements = utf32FromUtf8(text);
  // NumPy stores the empty string as one NUL.
  const std::size_t characters = std::max<std::size_t>(elements.size() / 4, 1);
  std::string file = makeNpyHeader(fmt::format("<U{}", characters), {}) + elements;
  file.append(4 * characters - elements.size(), '\0');
  return file;
}

Expected<AnyArray> readNpy(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  return decodeNpy((*file)->bytes(), *file, path);
}

Expected<std::variant<AnyArray, TextArray>> readNpyOrTexts(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  if (isNpyOfTexts((*file)->bytes())) {
    auto texts = decodeNpyTexts((*file)->bytes(), path);
    return texts ? Expected<std::variant<AnyArray, TextArray>>(*std::move(texts)) : failWith(texts);
  }
  auto array = decodeNpy((*file)->bytes(), *file, path);
  return array ? Expected<std::variant<AnyArray, TextArray>>(*std::move(array)) : failWith(array);
}

Status writeNpy(const std::string& path, const AnyArray& array) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file) {
    return failWith(file);
  }
  return std::visit(
      [&](const auto& a) -> Status {
        using T = std::remove_cvref_t<decltype(a.data()[0])>;
        Status written = file->write(makeNpyHeader(npyDescr<T>(), a.shape()));
        if (written) {
          written = file->write(elementBytes(a));
        }
        return written ? file->commit() : written;
      },
      array);
}

}  // namespace dubito
