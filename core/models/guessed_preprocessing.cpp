// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/guessed_preprocessing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dubito {
namespace {

constexpr std::string_view kBegin = "The preprocessing is guessed (";

}  // namespace

std::string guessedPreprocessingNote(const std::vector<std::string>& parts,
                                     const Preprocessing& preprocessing) {
  return fmt::format(
      "{}{}): {}; if the model was trained with different values, its results are wrong; {}",
      kBegin, fmt::join(parts, ", "), preprocessing.describe(), kGuessedPreprocessingRemedy);
}

std::string guessedPreprocessing(std::span<const std::string> notes) {
  for (const std::string& note : notes) {
    const std::size_t begin = note.find(kBegin);
    const std::size_t end = begin == std::string::npos ? begin : note.find(')', begin);
    if (end != std::string::npos) {
      return note.substr(begin + kBegin.size(), end - begin - kBegin.size());
    }
  }
  return {};
}

}  // namespace dubito
