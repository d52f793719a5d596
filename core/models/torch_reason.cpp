// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/torch_reason.h"

#include <algorithm>
#include <string_view>

#include "core/base/in_quotes.h"

namespace dubito {

std::string torchReason(const std::exception& exception) {
  constexpr std::string_view kMarker = "RuntimeError: ";
  constexpr std::size_t kLongest = 180;
  std::string text = exception.what();
  if (const std::size_t marker = text.rfind(kMarker); marker != std::string::npos) {
    text.erase(0, marker + kMarker.size());
  }
  text.erase(0, text.find_first_not_of(" \n"));
  text.erase(std::min(text.find('\n'), text.size()));
  // Torch repeats bytes of a damaged program as they are.
  return text.empty() ? "no reason given" : shownText(text, kLongest);
}

}  // namespace dubito
