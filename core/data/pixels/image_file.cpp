// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/image_file.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bundled_library.h"
#include "core/base/regular_file.h"
#include "core/data/pixels/exif_orientation_tag.h"
#include "core/data/pixels/image_bytes.h"
#include "core/data/pixels/netpbm.h"
#include "core/data/pixels/photograph_library.h"

namespace dubito {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

Expected<std::vector<std::uint8_t>> bytesOf(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: is gone; put the image back, or open the dataset from the folder "
                            "where its images are now",
                            path));
  }
  if (error) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read ({}); check the file", path, error.message()));
  }
  if (size == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the file is empty; replace or remove it", path));
  }
  if (size > kMaxFileBytes) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: {} MB is too large for an image; make it smaller", path, size >> 20));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check its permissions", path));
  }
  return bytes;
}

/// The bytes of a file that can be decoded.
Expected<std::vector<std::uint8_t>> soundBytesOf(const std::string& path) {
  Expected<std::vector<std::uint8_t>> bytes = bytesOf(path);
  if (!bytes) {
    return bytes;
  }
  if (const std::string defect = imageDefect(*bytes); !defect.empty()) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}; replace or remove it", path, defect));
  }
  return bytes;
}

struct LoadedLibrary {
  const PhotographLibrary* library = nullptr;
  Status status;
};

LoadedLibrary load() {
  const Expected<void*> handle = loadBundledLibrary("libdubito_photographs.so");
  if (!handle) {
    return {nullptr,
            fail(ErrorCode::kUnsupported,
                 handle.error().message + "; install it next to the program, with OpenCV")};
  }
  const auto open =
      reinterpret_cast<PhotographLibraryFunction>(dlsym(*handle, kPhotographLibrarySymbol));
  if (open == nullptr) {
    return {nullptr, fail(ErrorCode::kUnsupported,
                          "libdubito_photographs.so: is from another version; rebuild it")};
  }
  return {open(), {}};
}

const LoadedLibrary& loaded() {
  static const LoadedLibrary result = load();
  return result;
}

/// What the header of a Netpbm file says about white, which OpenCV minds for text of 8 bits alone.
std::uint64_t whiteToScale(const std::optional<NetpbmHeader>& netpbm) {
  constexpr std::uint64_t kByte = 255;
  const bool is_scaled = netpbm && netpbm->white != 1 && netpbm->white != kByte &&
                         (netpbm->white > kByte || !netpbm->isText());
  return is_scaled ? netpbm->white : 0;
}

/// The whole image, or a half, a quarter or an eighth of it.
Expected<Image8> decodeImage(const std::string& path, const std::vector<std::uint8_t>& bytes,
                             int fraction) {
  if (const Status status = canReadPhotographs(); !status) {
    return failOf(path, status.error());
  }
  const auto netpbm = netpbmHeader(bytes);
  Expected<Image8> image = loaded().library->decode({.bytes = bytes,
                                                     .fraction = fraction,
                                                     .orientation = exifOrientationTag(bytes),
                                                     .white = whiteToScale(netpbm),
                                                     .is_deep = netpbm && netpbm->white > 255});
  return image ? image : failOf(path, image.error());
}

}  // namespace

std::string opencvVersion() {
  return loaded().library == nullptr ? "" : loaded().library->opencv_version;
}

Status canReadPhotographs() {
  return loaded().status;
}

Expected<Image8> readImageFile(const std::string& path) {
  const auto bytes = soundBytesOf(path);
  return bytes ? decodeImage(path, *bytes, 1) : failWith(bytes);
}

Expected<ReducedImage> readReducedImageFile(const std::string& path, std::int64_t min_side) {
  const auto bytes = soundBytesOf(path);
  if (!bytes) {
    return failWith(bytes);
  }
  const std::int64_t side = longerSideOfJpeg(*bytes);
  int fraction = side == 0 ? 1 : 8;
  while (fraction > 1 && (side + fraction - 1) / fraction < min_side) {
    fraction /= 2;
  }
  return decodeImage(path, *bytes, fraction).map([fraction](Image8 image) {
    return ReducedImage{std::move(image), fraction == 1};
  });
}

}  // namespace dubito
