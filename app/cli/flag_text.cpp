// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/flag_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/base/options.h"

namespace dubito::cli {
namespace {

std::vector<std::string> flagTexts(const std::vector<Setting>& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : settings) {
    texts.push_back(flagText(setting));
  }
  return texts;
}

}  // namespace

std::string flagText(const Setting& setting) {
  switch (setting.place) {
    case Setting::Place::kOption: {
      const std::string flag = flagOf({.name = setting.name, .label = {}, .help = {}});
      if (setting.omitted) {
        return "no " + flag;
      }
      return setting.value.empty() ? flag : flag + " " + setting.value;
    }
    case Setting::Place::kDataset:
      return fmt::format("?{}={}", setting.name, setting.value);
    case Setting::Place::kMetadata:
      return setting.value.empty()
                 ? fmt::format("\"{}\" in the metadata", setting.name)
                 : fmt::format("\"{}\": {} in the metadata", setting.name, setting.value);
    case Setting::Place::kWords:
      break;
  }
  return setting.value;
}

std::string flagText(const Requirement& requirement) {
  return fmt::format("{}", fmt::join(flagTexts(requirement.settings),
                                     requirement.one_is_enough ? " or " : " and "));
}

std::string messageWithFlags(const Error& error) {
  return error.remedy.settings.empty()
             ? error.message
             : fmt::format("{} ({})", error.message,
                           fmt::join(flagTexts(error.remedy.settings), ", "));
}

}  // namespace dubito::cli
