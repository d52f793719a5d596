// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/torch_reason.h"

#include <algorithm>
#include <array>
#include <new>
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

bool ranOutOfMemory(const std::exception& exception) {
  // Of the allocators of GPUs, of the processor, and of its alignment.
  constexpr std::array<std::string_view, 3> kSigns = {"out of memory", "can't allocate memory",
                                                      "not enough memory: you tried to allocate"};
  const std::string_view text = exception.what();
  return dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ||
         std::ranges::any_of(kSigns, [text](std::string_view sign) {
           return text.find(sign) != std::string_view::npos;
         });
}

}  // namespace dubito
