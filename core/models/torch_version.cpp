// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/torch_version.h"

#include <torch/version.h>

namespace dubito {

std::string torchVersion() {
  return TORCH_VERSION;
}

}  // namespace dubito
