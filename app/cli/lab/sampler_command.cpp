// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/base/stopwatch.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct SamplerArguments : ExperimentArguments<SamplerLabOptions> {
  std::int64_t transitions = 2000;
  std::vector<double> place;
};

/// {"mean": [x, y], "covariance": [[xx, xy], [yx, yy]]}; null: not known or too large.
json momentsToJson(const DenseGaussian& moments) {
  const auto& c = moments.covariance;
  return {{"mean", moments.mean},
          {"covariance", json::array({json::array({c[0], c[1]}), json::array({c[2], c[3]})})}};
}

json samplerToJson(const SamplerLab& lab, const SamplerPicture& picture, double seconds) {
  json exact = momentsToJson(lab.target().moments);
  exact["is_integrated"] = lab.target().is_integrated;
  json result = {{"transitions", picture.transitions},
                 {"draws_per_chain", picture.points.front().extent(0)},
                 {"thinning", picture.thinning},
                 {"exact", exact},
                 {"step_size", picture.step_size},
                 {"divergences", picture.divergences},
                 {"autocorrelation",
                  {{"lag", picture.autocorrelation.x}, {"value", picture.autocorrelation.y}}},
                 {"seconds", seconds},
                 {"converged", picture.converged},
                 {"warnings", picture.warnings}};
  result.update(momentsToJson(picture.moments));
  // What a sampler or a short run does not give is absent.
  const auto addKnown = [&result](const char* key, double value) {
    if (std::isfinite(value)) {
      result[key] = value;
    }
  };
  addKnown("acceptance", picture.acceptance);
  addKnown("rhat", picture.rhat);
  addKnown("ess", picture.ess);
  addKnown("leapfrog_steps", picture.leapfrog_steps);
  addKnown("tree_depth", picture.tree_depth);
  return result;
}

std::string samplerToText(const SamplerArguments& arguments, const SamplerLab& lab,
                          const SamplerPicture& picture, double seconds) {
  const SamplerTargetInfo& info = *findSamplerTarget(arguments.options.density);
  const DenseGaussian& exact = lab.target().moments;
  const DenseGaussian& found = picture.moments;
  std::string text =
      fmt::format("{} on {}, {} chains, {} transitions, seed {}\n", arguments.options.sampler,
                  info.name, picture.points.size(), picture.transitions, arguments.seed);
  text += noteLines(picture.warnings);
  const auto row = [&text](const std::string& name, double value, double expected) {
    text += fmt::format("{:<18}{:>12.4g}{:>12.4g}\n", name, value, expected);
  };
  text += fmt::format("{:<18}{:>12}{:>12}\n", "", "chains",
                      lab.target().is_integrated ? "integrated" : "exact");
  row(fmt::format("mean of {}", info.x_label), found.mean[0], exact.mean[0]);
  row(fmt::format("mean of {}", info.y_label), found.mean[1], exact.mean[1]);
  row(fmt::format("variance of {}", info.x_label), found.covariance[0], exact.covariance[0]);
  row(fmt::format("variance of {}", info.y_label), found.covariance[3], exact.covariance[3]);
  row("covariance", found.covariance[1], exact.covariance[1]);
  const auto number = [&text](const char* name, double value) {
    text += std::isfinite(value) ? fmt::format("{:<18}{:>12.4g}\n", name, value)
                                 : fmt::format("{:<18}{:>12}\n", name, "-");
  };
  number("step size", picture.step_size);
  number("acceptance", picture.acceptance);
  number("R-hat", picture.rhat);
  number("ESS", picture.ess);
  text += fmt::format("{:<18}{:>12}\n", "divergences", picture.divergences);
  const LabSamplerInfo& sampler = *findLabSampler(arguments.options.sampler);
  if (sampler.no_energy == nullptr) {
    number("leapfrog steps", picture.leapfrog_steps);
  }
  if (sampler.has_tree_depth) {
    number("tree depth", picture.tree_depth);
  }
  return text + fmt::format("{:.2f} s\n", seconds);
}

Expected<ExperimentReport> runSampler(const SamplerArguments& arguments, RunContext& context) {
  const auto place = arguments.place.empty()
                         ? std::nullopt
                         : std::optional(std::array{arguments.place[0], arguments.place[1]});
  auto lab = SamplerLab::start(arguments.options, arguments.seed, place);
  if (!lab) {
    return failWith(lab);
  }
  const Stopwatch watch;
  if (Status advanced = lab->advance(arguments.transitions, context); !advanced) {
    return failWith(advanced);
  }
  const double seconds = watch.seconds();
  const SamplerPicture picture = lab->picture();
  const std::int64_t kept = picture.points.front().extent(0);
  // One line per kept state.
  return ExperimentReport{
      samplerToJson(*lab, picture, seconds), samplerToText(arguments, *lab, picture, seconds),
      "chain,transition,x,y", kept * std::ssize(picture.points), [picture, kept](std::int64_t row) {
        const auto chain = static_cast<std::size_t>(row / kept);
        const std::int64_t state = row % kept;
        const auto point = picture.points[chain].row(state);
        return fmt::format("{},{},{},{}", chain + 1,
                           picture.traces[chain].x[static_cast<std::size_t>(state)],
                           numberText(point[0]), numberText(point[1]));
      }};
}

}  // namespace

Command labSamplerCommand(CLI::App& app) {
  const auto arguments = std::make_shared<SamplerArguments>();
  arguments->declare(app, "Options of the sampler", "seed of all chains");
  app.add_option("--transitions", arguments->transitions,
                 "transitions per chain, the warm-up included")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  app.add_option("--start", arguments->place, "x and y at which all chains start [random places]")
      ->expected(2);
  arguments->output.declare(app, "CSV file to write: the states after the warm-up");
  return experimentCommand(arguments, runSampler);
}

}  // namespace dubito::cli
