// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/window_words.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/context/context_options.h"
#include "core/inference/runs/predict.h"
#include "core/labs/bandit/bandit_lab.h"
#include "core/labs/dropout_rate/rate_options.h"
#include "core/labs/gaussian/gp_fit.h"
#include "core/labs/referral/referral_options.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"
#include "core/labs/rotation/rotation_options.h"
#include "core/labs/sampling/sampler_lab.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_lab.h"
#include "core/metrics/evaluation.h"
#include "core/train/head/head_options.h"
#include "core/train/train.h"

namespace dubito {
namespace {

/// Phrases with flags, and their replacements in the window. Longer ones first.
constexpr std::pair<const char*, const char*> kPhrases[] = {
    {" (or allow the same items with --allow-same-split, which is written into the result)", ""},
    {", or a posterior with --posterior", ""},
    {"give another file with --posterior", "give another file"},
    {"continue with --posterior", "the same computation continues with"},
    {"fitted on a calibration set (--calibration)",
     "fitted on a calibration set ('Calibrated on')"},
    {"give them with --fit", "choose them under 'Fitted on'"},
    {"give them with --calibration", "choose them under 'Calibrated on'"},
    {"give more (--member)", "tick more runs"},
    {"\"output_key\" in the metadata selects another",
     "'Class scores' in the model's preprocessing selects another"},
    {"as output_key says", "as its preprocessing says"},
    {"--fit", "'Fitted on'"},
    {"--calibration", "'Calibrated on'"},
    {"--member", "'Ensemble of runs'"},
    {"--metadata", "the model's preprocessing"},
    {"--device", "Device:"},
    {"--threads", "the number of threads"},
    {"--posterior", "the posterior"},
    {"--allow-same-split", "the same items"},
    {"(--memory)", "(Memory)"},
    {"--memory", "Memory"},
    {"--source moments", "the moments"},
    {"--score", "Score:"},
    {"(?items=0:N)", "(Items in the dataset's menu)"},
    {"the same command with --resume continues from there", "computing again continues from there"},
    {"--resume", "the same computation"},
    {"start over with --restart", "start over"},
    {"--restart", "starting again"},
    {"a --learning-rate", "a learning rate"},
    {"--learning-rate", "a learning rate"},
    {"hold out fewer (--validation-share)", "hold out fewer"},
    {"no --validation-share", "no validation share"},
    {"--validation-share", "a validation share"},
    {"--feature-cache-mb", "a feature cache"},
    {"--method", "Method:"},
    {"set ?role=ood", "choose the role ood in the dataset's menu"},
    {"append role=train", "choose the role train in its menu"},
    {"leave it out with classes=", "leave it out (Classes, in the dataset's menu)"},
    {"open the dataset with role=ood", "choose the role ood in the dataset's menu"},
    {"choose classes with ?classes=", "choose Classes in the dataset's menu"},
    {"widen items= or classes=", "widen Items or Classes in the dataset's menu"},
    {" ?role=", " the role "},
};

struct Option {
  std::string label;
  std::vector<std::string> choices;
};

/// All options of the Compute panel, of the laboratories, of training and of context, by flag.
const std::map<std::string, Option>& options() {
  static const std::map<std::string, Option> known = [] {
    std::map<std::string, Option> found;
    const auto add = [&found](const std::vector<Field>& fields) {
      for (const Field& field : fields) {
        found.emplace(flagOf(field.info), Option{field.info.label, field.info.choices});
      }
    };
    for (MethodDescription method : allMethods()) {
      add(methodFields(method.defaults));
    }
    add(PredictOptions().fields());
    add(EvaluationOptions().fields());
    found.emplace("--seed", Option{"Seed", {}});
    for (const RegressionMethodInfo& method : regressionMethods()) {
      add(method.make()->fields());
    }
    add(RegressionLabOptions().fields());
    add(GaussianChoice().fields());
    add(SimplexOptions().fields());
    add(SampleWorthOptions().fields());
    add(ReferralOptions().fields());
    add(RotationOptions().fields());
    add(GpFitOptions().fields());
    add(SamplerLabOptions().fields());
    add(BanditLabOptions().fields());
    add(DropoutRateOptions().fields());
    add(TrainOptions().fields());
    add(HeadOptions().fields());
    add(ContextOptions().fields());
    return found;
  }();
  return known;
}

bool isFlagLetter(char letter) {
  return std::islower(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
         std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/// The word at `begin` if it is a value of the option: one of its choices, a number or a pattern
/// (mmc-drop=0.05); else empty.
std::string_view valueAt(std::string_view text, std::size_t begin, const Option& option) {
  const std::size_t end = std::min(text.find_first_of(" ,;)(:", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  const bool is_choice =
      std::ranges::find(option.choices, std::string(word)) != option.choices.end();
  const bool is_number =
      !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
  const bool is_pattern = word.find_first_of("=-") != std::string_view::npos ||
                          (option.choices.empty() && word.starts_with("auto"));
  return is_choice || is_number || is_pattern ? word : std::string_view();
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string withLabels(const std::string& text) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", done)) {
    std::size_t end = at + 2;
    while (end < text.size() && isFlagLetter(text[end])) {
      ++end;
    }
    const auto option = options().find(text.substr(at, end - at));
    result += text.substr(done, at - done);
    done = end;
    if (option == options().end()) {
      result += text.substr(at, end - at);
      continue;
    }
    const bool separated = end < text.size() && (text[end] == ' ' || text[end] == '=');
    const std::string_view value =
        separated ? valueAt(text, end + 1, option->second) : std::string_view();
    if (value.empty()) {
      result += "'" + option->second.label + "'";
    } else {
      result += option->second.label + ": " + std::string(value);
      done = end + 1 + value.size();
    }
  }
  return result + text.substr(done);
}

}  // namespace

std::string withWindowLabels(const std::string& message) {
  constexpr const char* kOfCommandLine[] = {"--", "role=", "classes=", "items=", "output_key"};
  if (std::ranges::none_of(kOfCommandLine, [&message](const char* word) {
        return message.find(word) != std::string::npos;
      })) {
    return message;
  }
  std::string text = message;
  // The rest of the message is an example for the command line.
  if (const std::size_t at = text.find("write the name or position of the one with the class");
      at != std::string::npos) {
    text.replace(at, std::string::npos, "choose one in the 'Class scores' dialog");
  }
  // Options of the Compute panel are replaced by their labels.
  for (const auto& [from, to] : kPhrases) {
    replaceAll(text, from, to);
  }
  return withLabels(text);
}

}  // namespace dubito
