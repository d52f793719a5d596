// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_names.h"
#include "core/base/choice_label.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/options.h"

namespace dubito {
namespace {

using nlohmann::json;

/// A setting with a longer value, such as the members of an ensemble, makes no name.
constexpr std::size_t kLongestValue = 32;

/// "link probit", "drop rate 0.1": the settings of a run's method, those of the method it was tuned
/// from among them. Fitted values are left out.
struct RunSetting {
  std::string name;
  std::string value;
};

std::string valueText(const json& value) {
  if (value.is_null()) {
    return "auto";
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? "on" : "off";
  }
  if (value.is_number_float()) {
    return fmt::format("{:.4g}", value.get<double>());
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_array()) {
    std::vector<std::string> texts;
    std::ranges::transform(value, std::back_inserter(texts), valueText);
    return texts.empty() ? "all" : fmt::format("{}", fmt::join(texts, ", "));
  }
  return value.dump();
}

/// Value of the option `key` of `method` in the words of the window.
std::string labelOf(const std::string& method, const std::string& key, const json& value) {
  const std::string text = valueText(value);
  auto options = methodFromName(method);
  if (options && value.is_string()) {
    for (const Field& field : methodFields(*options)) {
      if (field.info.name == key) {
        return choiceLabel(field.info, text);
      }
    }
  }
  return text;
}

void addSettings(const std::string& method, const json& options,
                 std::vector<RunSetting>& settings) {
  // What a fit found, and the steps of a tuned run, which its name has already.
  static const std::set<std::string> kNoSettings = {"fitted", "order", "of"};
  if (!options.is_object()) {
    return;
  }
  for (const auto& [key, value] : options.items()) {
    if (kNoSettings.contains(key) || value.is_object()) {
      continue;
    }
    std::string name = key;
    std::ranges::replace(name, '_', ' ');
    if (std::ranges::find(settings, name, &RunSetting::name) == settings.end()) {
      settings.push_back({std::move(name), labelOf(method, key, value)});
    }
  }
  if (const auto of = options.find("of"); of != options.end() && of->is_object()) {
    addSettings(of->value("method", std::string()), of->value("options", json::object()), settings);
  }
}

std::vector<RunSetting> settingsOf(const Analysis& analysis) {
  std::vector<RunSetting> settings;
  const RunMeta& meta = analysis.in().run->meta;
  addSettings(meta.method, json::parse(meta.method_options, nullptr, /*allow_exceptions=*/false),
              settings);
  return settings;
}

std::string oodSetsOf(const Analysis& analysis) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < analysis.parts.size(); ++i) {
    names.push_back(analysis.parts[i].name);
  }
  return names.empty() ? "no OOD set" : fmt::format("{}", fmt::join(names, ", "));
}

/// Where a network comes from, as far as a run knows.
std::string networkKey(const RunMeta& meta) {
  return meta.network_hash.empty() ? meta.model_name : meta.network_hash;
}

/// Names by position, made longer where several runs share one.
class Distinguisher {
 public:
  Distinguisher(const std::vector<AnalysisPtr>& analyses, const std::vector<std::string>& given)
      : analyses_(analyses), given_(given) {
    given_.resize(analyses.size());
    for (std::size_t i = 0; i < analyses.size(); ++i) {
      names_.push_back(isGiven(i) ? given_[i] : analyses[i]->name);
    }
  }

  /// Appends what `text_of` says to all runs, if it is not the same for all; to no run whose name
  /// is that text.
  void addToAll(const std::vector<std::string>& texts) {
    if (std::set(texts.begin(), texts.end()).size() < 2) {
      return;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != texts[i]) {
        append(i, texts[i]);
      }
    }
  }

  /// Appends the texts to runs that share a name (and `place`, which a list shows next to it), if
  /// they differ among those.
  void addToEqual(const std::vector<std::string>& texts, const std::vector<std::string>& place) {
    for (const std::vector<std::size_t>& group : equalOnes(place)) {
      appendWhereDiffering(group, texts);
    }
  }

  /// The same for every setting that differs, whether or not the first one is enough.
  void addSettings(const std::vector<std::string>& place) {
    std::vector<std::vector<RunSetting>> settings;
    for (const AnalysisPtr& analysis : analyses_) {
      settings.push_back(settingsOf(*analysis));
    }
    for (const std::vector<std::size_t>& group : equalOnes(place)) {
      for (const RunSetting& setting : settings[group.front()]) {
        std::vector<std::string> texts(names_.size());
        bool all_short = true;
        for (const std::size_t i : group) {
          const auto found = std::ranges::find(settings[i], setting.name, &RunSetting::name);
          const std::string value = found == settings[i].end() ? "–" : found->value;
          all_short = all_short && value.size() <= kLongestValue;
          texts[i] = fmt::format("{} {}", setting.name, value);
        }
        if (all_short) {
          appendWhereDiffering(group, texts);
        }
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  [[nodiscard]] bool isGiven(std::size_t i) const { return !given_[i].empty(); }

  void append(std::size_t i, const std::string& text) {
    if (!isGiven(i) && !text.empty()) {
      names_[i] += " · " + text;
    }
  }

  void appendWhereDiffering(const std::vector<std::size_t>& group,
                            const std::vector<std::string>& texts) {
    std::set<std::string> different;
    for (const std::size_t i : group) {
      different.insert(texts[i]);
    }
    if (different.size() > 1) {
      for (const std::size_t i : group) {
        append(i, texts[i]);
      }
    }
  }

  /// Positions of two or more runs with one name and one place.
  [[nodiscard]] std::vector<std::vector<std::size_t>> equalOnes(
      const std::vector<std::string>& place) const {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!isGiven(i)) {
        groups[{names_[i], place.empty() ? std::string() : place[i]}].push_back(i);
      }
    }
    std::vector<std::vector<std::size_t>> equal;
    for (auto& [key, group] : groups) {
      if (group.size() > 1) {
        equal.push_back(std::move(group));
      }
    }
    return equal;
  }

  const std::vector<AnalysisPtr>& analyses_;
  std::vector<std::string> given_;
  std::vector<std::string> names_;
};

using TextOf = std::function<std::string(const Analysis&)>;

std::vector<std::string> textsOf(const std::vector<AnalysisPtr>& analyses, const TextOf& text_of) {
  std::vector<std::string> texts;
  for (const AnalysisPtr& analysis : analyses) {
    texts.push_back(text_of(*analysis));
  }
  return texts;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(fmt::format("#{}", i + 1));
  }
  return texts;
}

/// networkName, with a piece of the hash for different networks of one name.
std::vector<std::string> distinctNetworks(const std::vector<AnalysisPtr>& analyses) {
  std::vector<std::string> names = textsOf(analyses, networkName);
  std::map<std::string, std::set<std::string>> keys;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    keys[names[i]].insert(networkKey(analyses[i]->in().run->meta));
  }
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    const RunMeta& meta = analyses[i]->in().run->meta;
    if (keys[names[i]].size() < 2) {
      continue;
    }
    const std::string file = std::filesystem::path(meta.model_path).filename().string();
    names[i] +=
        fmt::format(" ({}{}{})", file, file.empty() ? "" : " ", meta.network_hash.substr(0, 6));
  }
  return names;
}

std::vector<std::string> named(const std::vector<AnalysisPtr>& analyses,
                               const std::vector<std::string>& given, bool with_model) {
  Distinguisher names(analyses, given);
  const std::vector<std::string> networks = distinctNetworks(analyses);
  const std::vector<std::string> datasets =
      textsOf(analyses, [](const Analysis& analysis) { return analysis.in().name; });
  std::vector<std::string> place;
  if (with_model) {
    names.addToAll(networks);
  } else {
    for (std::size_t i = 0; i < analyses.size(); ++i) {
      place.push_back(networks[i] + "\n" + datasets[i]);
    }
  }
  names.addSettings(place);
  names.addToEqual(textsOf(analyses,
                           [](const Analysis& analysis) {
                             return fmt::format("seed {}", analysis.in().run->meta.seed);
                           }),
                   place);
  names.addToEqual(datasets, place);
  names.addToEqual(textsOf(analyses, oodSetsOf), place);
  names.addToEqual(numbered(analyses.size()), place);
  return names.names();
}

}  // namespace

std::vector<std::string> distinctNames(const std::vector<AnalysisPtr>& analyses,
                                       const std::vector<std::string>& given) {
  return named(analyses, given, true);
}

std::vector<std::string> shortNames(const std::vector<AnalysisPtr>& analyses,
                                    const std::vector<std::string>& given) {
  return named(analyses, given, false);
}

std::string networkName(const Analysis& analysis) {
  const RunMeta& meta = analysis.in().run->meta;
  return meta.model_name.empty() ? std::filesystem::path(meta.model_path).stem().string()
                                 : meta.model_name;
}

}  // namespace dubito
