// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/models/model.h"
#include "core/models/program/network_format.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string model;
  LoadModelOptions loading;
  ComputeFlags compute;
  bool as_json = false;
};

const char* nameOf(OutputKind kind) {
  return kind == OutputKind::kLogits ? "logits" : "probabilities";
}

nlohmann::json toJson(const DropoutSite& site) {
  nlohmann::json object{{"site", site.site},           {"name", site.name},   {"op", site.op},
                        {"drop_rate", site.drop_rate}, {"place", site.place}, {"mode", site.mode}};
  if (!site.unit_rates.empty()) {
    object["unit_rates"] = site.unit_rates;
  }
  if (site.is_noise) {
    object["random_numbers"] = true;
    object.erase("drop_rate");
  }
  if (!site.refused.empty()) {
    object["refused"] = site.refused;
    object["used"] = site.is_used;
  }
  if (!site.off.empty()) {
    object["off"] = site.off;
  }
  return object;
}

nlohmann::json toJson(const Head& head) {
  if (!head.found) {
    return {{"found", false}, {"reason", head.reason}};
  }
  return {{"found", true},
          {"op", head.op},
          {"features", head.features},
          {"classes", head.classes},
          {"bias", head.has_bias},
          {"added", head.added},
          {"quantised", head.quantised},
          {"reconstruction_error", head.reconstruction_error}};
}

/// Axes of any size are null.
nlohmann::json toJson(const InputTensor& input) {
  nlohmann::json object{{"name", input.name}, {"shape", nullptr}, {"type", nullptr}};
  if (!input.shape.empty()) {
    object["shape"] = nlohmann::json::array();
    for (const std::int64_t size : input.shape) {
      object["shape"].push_back(size == 0 ? nlohmann::json() : nlohmann::json(size));
    }
  }
  if (!input.type.empty()) {
    object["type"] = input.type;
  }
  return object;
}

nlohmann::json toJson(const Model& model) {
  const ModelMetadata& metadata = model.metadata();
  const ModelAudit& audit = model.audit();
  nlohmann::json sites = nlohmann::json::array();
  for (const DropoutSite& site : audit.dropout_sites) {
    sites.push_back(toJson(site));
  }
  nlohmann::json inputs = nlohmann::json::array();
  for (const InputTensor& input : audit.inputs) {
    inputs.push_back(toJson(input));
  }
  nlohmann::json outputs = nlohmann::json::array();
  for (const OutputTensor& output : audit.outputs) {
    outputs.push_back({{"name", output.name},
                       {"shape", output.shape},
                       {"type", output.type},
                       {"used", output.used}});
  }
  nlohmann::json norms = nlohmann::json::array();
  for (const NormLayer& norm : audit.norm_layers) {
    norms.push_back({{"name", norm.name}, {"op", norm.op}, {"mode", norm.mode}});
  }
  return {{"path", model.path()},
          {"name", metadata.name},
          {"metadata_source", metadata.source},
          {"class_names", metadata.class_names},
          {"preprocessing", toJson(metadata.preprocessing)},
          {"preprocessing_text", metadata.preprocessing.describe()},
          {"output", nameOf(audit.output)},
          {"output_declared", metadata.output_declared},
          {"one_output", audit.one_output},
          {"inputs", inputs},
          {"outputs", outputs},
          {"classes", audit.classes},
          {"parameters", audit.parameter_count},
          {"number_type", audit.number_type},
          {"input_shape", audit.input_shape},
          {"format", audit.format},
          {"written_by", audit.written_by},
          {"dropout_sites", sites},
          {"first_stochastic_site", audit.first_stochastic_site},
          {"norm_layers", norms},
          {"head", toJson(audit.head)},
          {"batch",
           {{"known", audit.batch.is_known},
            {"depends_on_batch", audit.batch.depends_on_batch},
            {"max_prob_difference", audit.batch.max_prob_difference},
            {"draws_depend_on_batch", audit.batch.draws_depend_on_batch},
            {"max_draw_difference", audit.batch.max_draw_difference},
            {"reason", audit.batch.reason}}},
          {"items_per_pass",
           {{"least", audit.items_per_pass.min},
            {"most", audit.items_per_pass.max == ItemsPerPass().max
                         ? nlohmann::json()
                         : nlohmann::json(audit.items_per_pass.max)}}},
          {"unrepeatable", audit.unrepeatable},
          {"notes", textsOf(audit.notes)}};
}

void printHead(const Head& head) {
  if (!head.found) {
    fmt::print("head           not found: {}\n", head.reason);
    return;
  }
  fmt::print("head           {}{}, {} features -> {} classes{}, |W h + b - logits| {:.2g}\n",
             head.quantised ? "quantised " : "", head.op, head.features, head.classes,
             head.added.empty() ? (head.has_bias ? "" : ", no bias") : ", plus " + head.added,
             head.reconstruction_error);
}

/// "'x' [any, 3, 224, 224] Float".
std::string textOf(const InputTensor& input) {
  if (input.shape.empty()) {
    return inQuotes(input.name) + ", shape and type not stated by the file";
  }
  std::vector<std::string> sizes;
  for (const std::int64_t size : input.shape) {
    sizes.push_back(size == 0 ? "any" : std::to_string(size));
  }
  return fmt::format("{} [{}] {}", inQuotes(input.name), fmt::join(sizes, ", "), input.type);
}

void print(const Model& model) {
  const ModelMetadata& metadata = model.metadata();
  const ModelAudit& audit = model.audit();
  fmt::print("model          {}\n", metadata.name.empty() ? model.path() : metadata.name);
  fmt::print("metadata       {}\n", metadata.source);
  fmt::print("input          {} ({})\n", fmt::join(audit.input_shape, " x "),
             metadata.preprocessing.describe());
  for (const InputTensor& input : audit.inputs) {
    fmt::print("      {}\n", textOf(input));
  }
  fmt::print("output         {} of {} classes{}{}\n", nameOf(audit.output), audit.classes,
             audit.one_output ? ", from one output per item" : "",
             metadata.output_declared ? "" : " (detected by running it)");
  for (std::size_t i = 0; audit.outputs.size() > 1 && i < audit.outputs.size(); ++i) {
    const OutputTensor& output = audit.outputs[i];
    fmt::print("  {:>2}  {:<16} {} {}{}\n", i, inQuotes(output.name),
               fmt::join(output.shape, " x "), output.type, output.used ? ", used" : "");
  }
  fmt::print("parameters     {}{}\n", audit.parameter_count,
             audit.number_type == "Float" ? "" : fmt::format(" ({})", audit.number_type));
  fmt::print("format         {}, {}\n", audit.format, audit.written_by);
  printHead(audit.head);
  fmt::print("dropout        {} sites\n", audit.dropout_sites.size());
  for (const DropoutSite& site : audit.dropout_sites) {
    fmt::print("  {:>2}  {:<16} {}, {}, {}, {}{}{}\n", site.site, site.name, dropRateText(site),
               site.place, site.op, site.mode,
               site.refused.empty() ? "" : "; not usable: " + site.refused,
               site.off.empty() ? "" : "; off unless chosen: " + site.off);
  }
  fmt::print("normalisation  {} layers\n", audit.norm_layers.size());
  for (const NormLayer& norm : audit.norm_layers) {
    fmt::print("      {:<16} {}, {}\n", norm.name, norm.op, norm.mode);
  }
  if (!audit.batch.is_known) {
    fmt::print("batch          unknown: the network's own randomness hides effects of the batch\n");
  } else if (audit.batch.depends_on_batch) {
    fmt::print("batch          results depend on the batch by up to {:.2g} ({})\n",
               audit.batch.max_prob_difference, audit.batch.reason);
  } else if (audit.batch.draws_depend_on_batch) {
    fmt::print("batch          with dropout on, results depend on the batch ({})\n",
               audit.batch.reason);
  } else {
    fmt::print("batch          items do not influence each other\n");
  }
  for (const std::string& note : textsOf(audit.notes)) {
    fmt::print("note           {}\n", note);
  }
}

}  // namespace

Command inspectCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("model", arguments->model, "network: " + networkFormatsText())->required();
  declareFields(app, arguments->loading.fields(), "Model");
  arguments->compute.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) -> Status {
    if (Status applied = arguments->compute.apply(context); !applied) {
      return applied;
    }
    const auto model = loadModel(arguments->model, arguments->loading, context);
    if (!model) {
      return failWith(model);
    }
    if (arguments->as_json) {
      fmt::print("{}\n", jsonText(toJson(**model), 2));
    } else {
      print(**model);
    }
    return {};
  }};
}

}  // namespace dubito::cli
