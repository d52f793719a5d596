// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/studies/active_learning/curve.h"
#include "core/base/expected.h"

namespace dubito::study {

/// A folder with one file per learning curve, BY-SEED.json, all made under the same conditions.
class CurveFolder {
 public:
  /// Creates the folder if it is missing and locks it until the object is destroyed. kWriteFailed
  /// if another program holds the lock; kInvalidArgument if a curve in it was made under other
  /// conditions.
  [[nodiscard]] static Expected<CurveFolder> claim(const std::string& path,
                                                   const nlohmann::json& conditions);
  /// The same without creating or locking it: for reading, and for the processes of a group whose
  /// first one has claimed it.
  [[nodiscard]] static Expected<CurveFolder> open(const std::string& path,
                                                  const nlohmann::json& conditions);

  CurveFolder(CurveFolder&& other) noexcept;
  CurveFolder& operator=(CurveFolder&& other) = delete;
  ~CurveFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string fileOf(const std::string& by, std::uint64_t seed,
                                   const std::string& extension = ".json") const;
  /// The computed part of the curve; without points if it has no file.
  [[nodiscard]] Expected<Curve> read(const std::string& by, std::uint64_t seed) const;
  [[nodiscard]] Status write(const Curve& curve) const;

 private:
  CurveFolder(std::string path, nlohmann::json conditions, int lock);
  [[nodiscard]] Status check() const;

  std::string path_;
  nlohmann::json conditions_;
  int lock_ = -1;
};

}  // namespace dubito::study
