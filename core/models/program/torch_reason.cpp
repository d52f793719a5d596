// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/torch_reason.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "core/base/in_quotes.h"

namespace dubito {

namespace {

/// The text after the program trace: the first line after its last mark that is not indented like
/// source. The whole text if there is no trace.
std::string_view afterTrace(std::string_view text) {
  constexpr std::string_view kMark = "<--- HERE";
  const std::size_t mark = text.rfind(kMark);
  if (mark == std::string_view::npos) {
    return text;
  }
  for (std::size_t end = text.find('\n', mark); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    const std::string_view line = text.substr(end + 1);
    if (!line.empty() && line[0] != ' ' && line[0] != '\n') {
      return line;
    }
  }
  return text;
}

}  // namespace

std::string torchReason(const std::exception& exception) {
  // The class of an exception: torch's own is meaningless, that of a model's program is not.
  constexpr std::string_view kTorchClass = "RuntimeError: ";
  constexpr std::string_view kPythonModule = "builtins.";
  constexpr std::size_t kMaxLength = 180;
  std::string text(afterTrace(exception.what()));
  if (const std::size_t marker = text.rfind(kTorchClass); marker != std::string::npos) {
    text.erase(0, marker + kTorchClass.size());
  }
  if (text.starts_with(kPythonModule)) {
    text.erase(0, kPythonModule.size());
  }
  text.erase(0, text.find_first_not_of(" \n"));
  text.erase(std::min(text.find('\n'), text.size()));
  // Torch repeats raw bytes of a damaged program.
  return text.empty() ? "no reason given" : shownText(text, kMaxLength);
}

bool isOutOfMemory(const std::exception& exception) {
  // From the allocators of GPUs, of the CPU, and of aligned memory.
  constexpr std::array<std::string_view, 3> kSigns = {"out of memory", "can't allocate memory",
                                                      "not enough memory: you tried to allocate"};
  const std::string_view text = exception.what();
  return dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ||
         std::ranges::any_of(kSigns, [text](std::string_view sign) {
           return text.find(sign) != std::string_view::npos;
         });
}

}  // namespace dubito
