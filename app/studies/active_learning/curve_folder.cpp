// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/curve_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/io/make_folder.h"
#include "core/review/queue_kind.h"

namespace dubito::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCurveLock = ".lock";

/// Whether a file is named like a curve: a queue, a dash, digits.
bool isCurveName(const fs::path& name) {
  const std::string stem = name.stem().string();
  const std::size_t dash = stem.rfind('-');
  return name.extension() == ".json" && dash != std::string::npos && dash + 1 < stem.size() &&
         stem.find_first_not_of("0123456789", dash + 1) == std::string::npos &&
         queueOfKey(stem.substr(0, dash)).has_value();
}

}  // namespace

Expected<CurveFolder> CurveFolder::claim(const std::string& path,
                                         const nlohmann::json& conditions) {
  if (Status made = makeFolder(path); !made) {
    return failWith(made);
  }
  const int lock =
      ::open((fs::path(path) / kCurveLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: cannot be written ({}); choose another folder", path,
                            std::strerror(errno)));
  }
  CurveFolder folder(path, conditions, lock);
  // File systems without locks return another error; other programs are then not detected.
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: another program is computing these curves; wait for it, or choose "
                            "another folder",
                            path));
  }
  if (Status checked = folder.check(); !checked) {
    return failWith(checked);
  }
  return folder;
}

Expected<CurveFolder> CurveFolder::open(const std::string& path, const nlohmann::json& conditions) {
  CurveFolder folder(path, conditions, -1);
  if (Status checked = folder.check(); !checked) {
    return failWith(checked);
  }
  return folder;
}

CurveFolder::CurveFolder(std::string path, nlohmann::json conditions, int lock)
    : path_(std::move(path)), conditions_(std::move(conditions)), lock_(lock) {}

CurveFolder::CurveFolder(CurveFolder&& other) noexcept
    : path_(std::move(other.path_)),
      conditions_(std::move(other.conditions_)),
      lock_(std::exchange(other.lock_, -1)) {}

CurveFolder::~CurveFolder() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

Status CurveFolder::check() const {
  std::error_code error;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!isCurveName(entry->path().filename())) {
      continue;
    }
    if (const auto curve = readCurve(entry->path().string(), conditions_); !curve) {
      return failWith(curve);
    }
  }
  if (error) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read ({}); check the folder", path_, error.message()));
  }
  return {};
}

std::string CurveFolder::fileOf(const std::string& by, std::uint64_t seed,
                                const std::string& extension) const {
  return (fs::path(path_) / fmt::format("{}-{}{}", by, seed, extension)).string();
}

Expected<Curve> CurveFolder::read(const std::string& by, std::uint64_t seed) const {
  const std::string file = fileOf(by, seed);
  if (!fs::exists(file)) {
    return Curve{by, seed, {}, {}};
  }
  return readCurve(file, conditions_);
}

Status CurveFolder::write(const Curve& curve) const {
  return writeCurve(fileOf(curve.by, curve.seed), curve, conditions_);
}

}  // namespace dubito::study
