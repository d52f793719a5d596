// SPDX-License-Identifier: GPL-3.0-or-later
// Exported programs that lie, loop, or ask for what a network file must not do.
#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/io/zip_directory.h"
#include "core/models/exported/exported_reader_torch.h"
#include "core/models/exported/saved_tensors_torch.h"
#include "core/models/model.h"
#include "core/models/program/network_file_torch.h"
#include "tests/core/models/exported/exported_files.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::Records;

/// The error of opening a file; it names the file and gives a remedy.
std::string errorOf(const std::string& path) {
  const auto file = readExported(path);
  if (file) {
    ADD_FAILURE() << "opened";
    return {};
  }
  const std::string& message = file.error().message;
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 700U) << message;
  return message;
}

std::string errorOfProgram(const std::string& fixture, const std::function<void(json&)>& change) {
  const test::TempDir folder;
  const std::string path = folder.file("net.pt2");
  test::writeChangedProgram(fixture, path, change);
  return errorOf(path);
}

std::string errorOfRecords(const std::function<void(Records&)>& change) {
  const test::TempDir folder;
  const std::string path = folder.file("net.pt2");
  test::writeChanged("plain", path, change);
  return errorOf(path);
}

json& nodesOf(json& program) {
  return program["graph_module"]["graph"]["nodes"];
}

json call(const std::string& target, const std::vector<json>& inputs) {
  return {{"target", target},
          {"inputs", inputs},
          {"outputs", json::array({{{"as_tensor", {{"name", "made"}}}}})},
          {"metadata", {{"nn_module_stack", "a,,net.Net;b,layers.1,net.Layer"}}}};
}

json argument(const std::string& name, const json& value) {
  return {{"name", name}, {"arg", value}, {"kind", 1}};
}

const json kX = {{"as_tensor", {{"name", "x"}}}};

TEST(DamagedExported, OperatorsThatDoMoreThanComputeAreRefusedByNameAndLayer) {
  const std::vector<std::pair<std::string, std::vector<json>>> calls = {
      {"torch.ops.aten.from_file.default",
       {argument("filename", {{"as_string", "/etc/passwd"}}), argument("size", {{"as_int", 8}})}},
      {"torch.ops.aten.set_.source_Tensor", {argument("self", kX), argument("source", kX)}},
      {"torch.ops.aten._unsafe_masked_index.default", {argument("self", kX)}},
      {"torch.ops.aten.manual_seed.default", {}},
      {"torch.ops.profiler._record_function_enter.default",
       {argument("name", {{"as_string", "a"}})}},
      {"torch.ops.aten._linalg_check_errors.default", {argument("self", kX)}},
      {"torch.ops.c10d.broadcast_.default", {argument("self", kX)}},
      {"torch.ops._c10d_functional.all_reduce.default", {argument("self", kX)}},
  };
  for (const auto& [target, inputs] : calls) {
    const std::string error = errorOfProgram("plain", [&](json& program) {
      nodesOf(program).insert(nodesOf(program).begin(), call(target, inputs));
    });
    EXPECT_THAT(error, HasSubstr("refused without running it")) << target;
    EXPECT_THAT(error, HasSubstr("(layer layers.1)")) << target;
  }
}

TEST(DamagedExported, OperatorsInBranchesAndPartsAreChecked) {
  const json refused = call("torch.ops.aten.from_file.default",
                            {argument("filename", {{"as_string", "/etc/passwd"}})});
  for (const char* const fixture : {"branches"}) {
    std::size_t graphs = 0;
    for (std::size_t which = 0;; ++which) {
      bool is_changed = false;
      const std::string error = [&] {
        std::size_t seen = 0;
        const test::TempDir folder;
        const std::string path = folder.file("net.pt2");
        test::writeChangedProgram(fixture, path, [&](json& program) {
          for (json& node : nodesOf(program)) {
            for (json& input : node["inputs"]) {
              if (input["arg"].contains("as_graph") && seen++ == which) {
                input["arg"]["as_graph"]["graph"]["nodes"].push_back(refused);
                is_changed = true;
              }
            }
          }
        });
        return is_changed ? errorOf(path) : std::string();
      }();
      if (!is_changed) {
        break;
      }
      ++graphs;
      EXPECT_THAT(error, HasSubstr("aten::from_file"));
    }
    EXPECT_GE(graphs, 4U) << fixture;
  }
}

TEST(DamagedExported, ProgramsThatCannotBeTranslatedSayWhy) {
  struct Case {
    std::function<void(json&)> change;
    std::string text;
  };
  const auto prepend = [](const json& node) {
    return [node](json& program) { nodesOf(program).insert(nodesOf(program).begin(), node); };
  };
  const std::vector<Case> cases = {
      {prepend(call("torch.ops.aten.relu.default",
                    {argument("self", {{"as_tensor", {{"name", "linear_1"}}}})})),
       "'linear_1' is used before it is computed"},
      {prepend(call("torch.ops.aten.relu.no_such_overload", {argument("self", kX)})),
       "'aten::relu.no_such_overload', which this LibTorch does not have"},
      {prepend(call("torch.ops.mylib.launch.default", {argument("self", kX)})),
       "'mylib::launch', which this LibTorch does not have (layer layers.1)"},
      {prepend(call("torch.ops.quantized_decomposed.quantize_per_tensor.default",
                    {argument("input", kX)})),
       "'quantized_decomposed::quantize_per_tensor', which this LibTorch does not have"},
      {prepend(call("torch.ops.aten.relu.default", {})), "without 'self'"},
      {prepend(call("torch.ops.aten.relu.default", {argument("self", {{"as_ints", {1, 2}}})})),
       "arguments that do not fit"},
      {prepend(call("os.system", {argument("self", {{"as_string", "true"}})})),
       "'os.system', which is not known here"},
      {prepend(call("torch.ops.aten", {argument("self", kX)})), "which is no operator"},
      {prepend(call("torch.ops.aten.relu`.default", {argument("self", kX)})),
       "which is no operator"},
      {prepend(call("torch.ops.higher_order.while_loop", {argument("", kX)})),
       "'higher_order.while_loop', which is not known here"},
      {prepend(call("torch.ops.aten.relu.default",
                    {argument("self", {{"as_custom_obj", {{"name", "x"}}}})})),
       "an argument of kind 'as_custom_obj'"},
      {prepend(call("torch.ops.aten.relu.default",
                    {argument("self", {{"as_tensor", {{"name", "x"}}}, {"as_int", 1}})})),
       "malformed"},
      {[](json& program) {
         program["graph_module"]["graph"]["tensor_values"]["x"]["sizes"] = json::array();
       },
       "one number instead of a batch"},
      {[](json& program) { program["graph_module"]["signature"]["output_specs"] = json::array(); },
       "returns no tensor"},
      {[](json& program) { nodesOf(program) = json::array(); }, "used before it is computed"},
      {[](json& program) { program.erase("graph_module"); }, "not as torch.export.save writes it"},
      {[](json& program) { nodesOf(program) = 3; }, "not as torch.export.save writes it"},
      {[](json& program) { program["graph_module"]["graph"]["tensor_values"]["x"]["dtype"] = 99; },
       "numbers of type unknown"},
      {[](json& program) {
         program["graph_module"]["graph"]["tensor_values"]["x"]["dtype"] = 1e300;
       },
       "it states 1e+300 instead of a whole number"},
      {[](json& program) {
         program["graph_module"]["graph"]["tensor_values"]["x"]["sizes"][1] = {
             {"as_int", std::numeric_limits<std::uint64_t>::max()}};
       },
       "it states 18446744073709551615 instead of a whole number"},
  };
  for (const Case& damaged : cases) {
    EXPECT_THAT(errorOfProgram("plain", damaged.change), HasSubstr(damaged.text));
  }
}

TEST(DamagedExported, GraphsInsideGraphsEnd) {
  const std::string error = errorOfProgram("plain", [](json& program) {
    json graph = {{"inputs", json::array()}, {"outputs", json::array()}, {"nodes", json::array()}};
    for (int depth = 0; depth < 200; ++depth) {
      json node = call("torch.ops.higher_order.wrap_with_set_grad_enabled",
                       {argument("", {{"as_bool", false}}),
                        argument("", {{"as_graph", {{"name", "g"}, {"graph", graph}}}})});
      graph["nodes"] = json::array({node});
    }
    nodesOf(program).insert(nodesOf(program).begin(), graph["nodes"][0]);
  });
  EXPECT_THAT(error, HasSubstr("nested too deeply"));
}

TEST(DamagedExported, WeightsThatLieAreRefused) {
  const auto changed = [](const std::string& key, const json& value) {
    return [key, value](Records& records) {
      std::string& text = records.at("data/weights/model_weights_config.json");
      json config = json::parse(text);
      json& entry = config["config"]["fc1.weight"];
      (entry.contains(key) ? entry : entry["tensor_meta"])[key] = value;
      text = config.dump();
    };
  };
  const json huge = {{"as_int", std::int64_t{1} << 62}};
  struct Case {
    std::function<void(Records&)> change;
    std::string text;
  };
  const std::vector<Case> cases = {
      {changed("sizes", {{{"as_int", 8}}, {{"as_int", 28}}}), "larger than its record"},
      {changed("sizes", {huge, huge}), "has the size or stride 4611686018427387904"},
      {changed("sizes", {{{"as_int", 1 << 30}}, {{"as_int", 1 << 30}}}), "larger than its record"},
      {changed("sizes", {{{"as_int", -1}}, {{"as_int", 27}}}), "size or stride -1"},
      {changed("strides", {{{"as_int", 270}}, {{"as_int", 1}}}), "larger than its record"},
      {changed("strides", {{{"as_int", -27}}, {{"as_int", 1}}}), "size or stride -27"},
      {changed("strides", json::array()), "another number of strides"},
      {changed("storage_offset", {{"as_int", 1000}}), "larger than its record"},
      {changed("storage_offset", {{"as_int", -1}}), "size or stride -1"},
      {changed("sizes", {{{"as_expr", {{"expr_str", "s0"}}}}, {{"as_int", 27}}}), "cannot be read"},
      {changed("dtype", 31), "numbers of type 31"},
      {changed("layout", 1), "sparse"},
      {changed("path_name", "../../../etc/passwd"), "lacks the record"},
      {changed("path_name", "/etc/passwd"), "lacks the record"},
      {changed("use_pickle", true), "pickled object"},
      {[](Records& records) { records["data/weights/weight_0"].resize(5); },
       "larger than its record"},
      {[](Records& records) { records.erase("data/weights/weight_0"); }, "lacks the record"},
      {[](Records& records) { records["data/weights/model_weights_config.json"] = "{"; },
       "cannot be read"},
      {[](Records& records) { records.erase("data/weights/model_weights_config.json"); },
       "lacks the weights"},
      {[](Records& records) { records["models/model.json"] = std::string(1 << 20, '['); },
       "not as torch.export.save writes it"},
      {[](Records& records) { records["models/model.json"].clear(); },
       "not as torch.export.save writes it"},
  };
  for (const Case& damaged : cases) {
    EXPECT_THAT(errorOfRecords(damaged.change), HasSubstr(damaged.text));
  }
}

/// In files of torch 2.5, tensors state their sizes in a pickle.
TEST(DamagedExported, PickledWeightsThatLieAreRefused) {
  const std::string path = test::exportedFixture("three_pickles");
  const std::string archive = test::readBytes(path);
  const auto entries = readZipDirectory(asBytes(archive), path);
  ASSERT_OK(entries);
  const auto entry = std::ranges::find(*entries, "serialized_state_dict.pt", &ZipEntry::name);
  ASSERT_NE(entry, entries->end());
  const auto errorOfPickle = [&](const std::string& from, const std::string& to) {
    std::string pickled = archive.substr(entry->data_offset, entry->stored_bytes);
    const std::size_t found = pickled.find(from);
    EXPECT_NE(found, std::string::npos);
    pickled.replace(found, from.size(), to);
    const at::Tensor file =
        at::from_blob(pickled.data(), {static_cast<std::int64_t>(pickled.size())}, at::kByte)
            .clone();
    try {
      return std::to_string(readSavedTensors(file).size()) + " tensors";
    } catch (const std::exception& exception) {
      return std::string(exception.what());
    }
  };
  EXPECT_EQ(errorOfPickle("K\x08K\x1b\x86", "K\x08K\x1b\x86"), "11 tensors");
  // The size [8, 27] of the first layer, then the name of its record.
  EXPECT_THAT(errorOfPickle("K\x08K\x1b\x86", "K\x09K\x1b\x86"),
              HasSubstr("a tensor of 243 elements that reaches beyond its 864 bytes"));
  EXPECT_THAT(errorOfPickle(std::string("X\x01\0\0\0"
                                        "4",
                                        6),
                            std::string("X\x01\0\0\0"
                                        "x",
                                        6)),
              HasSubstr("it lacks the record data/x"));
}

TEST(DamagedExported, AFlippedBitInTheWeightsIsFound) {
  const test::TempDir folder;
  const std::string path = folder.file("net.pt2");
  std::filesystem::copy_file(test::exportedFixture("plain"), path);
  std::string bytes = test::readBytes(path);
  const std::size_t place = test::recordOffset(path, "data/weights/weight_0") + 5;
  bytes[place] = static_cast<char>(bytes[place] ^ 4);
  test::writeBytes(path, bytes);
  EXPECT_THAT(errorOf(path), HasSubstr("'data/weights/weight_0' is damaged"));
}

TEST(DamagedExported, NamesOfWeightsCannotLeaveTheirPlace) {
  const test::TempDir folder;
  const std::string path = folder.file("net.pt2");
  const std::string name = "fc1.we ight\"); import os #";
  test::writeChanged("plain", path, [&name](Records& records) {
    for (const char* const record :
         {"data/weights/model_weights_config.json", "models/model.json"}) {
      std::string& text = records.at(record);
      json value = json::parse(text);
      if (value.contains("config")) {
        value["config"][name] = value["config"]["fc1.weight"];
      } else {
        for (json& spec : value["graph_module"]["signature"]["input_specs"]) {
          if (spec.contains("parameter") && spec["parameter"]["parameter_name"] == "fc1.weight") {
            spec["parameter"]["parameter_name"] = name;
          }
        }
      }
      text = value.dump();
    }
  });
  const auto file = readExported(path);
  ASSERT_OK(file);
  const std::string again = folder.file("again.pt");
  file->module.save(again, {{"metadata.json", R"({"input_size": [10, 10]})"}});
  RunContext context;
  EXPECT_OK(loadModel(again, {}, context));
}

}  // namespace
}  // namespace dubito
