// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Why an ONNX file is not read: what() is "REASON; REMEDY", without the name of the file.
class RefusedOnnx : public std::runtime_error {
 public:
  RefusedOnnx(ErrorCode code, const std::string& reason_and_remedy)
      : std::runtime_error(reason_and_remedy), code_(code) {}

  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Throws RefusedOnnx for a file whose contents contradict the format.
[[noreturn]] void refuseDamaged(const std::string& reason);
/// Throws RefusedOnnx for a network that uses what is not supported.
[[noreturn]] void refuseUnsupported(const std::string& reason_and_remedy);

}  // namespace dubito
