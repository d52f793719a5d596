// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose program wants to do more than compute, in every place where torch would run it:
// each is refused in one line, before anything of it has run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "core/models/model.h"
#include "core/models/torchscript/torchscript_archive_torch.h"
#include "tests/hostile/network_archive.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using namespace std::string_literals;
using test::NetworkArchive;

constexpr const char* kForward =
    "  def forward(self: __torch__.Net,\n"
    "    x: Tensor) -> Tensor:\n"
    "    return torch.mul(x, 2)\n";

/// A forward method whose first lines are `lines`. It returns the value called _0 if there is one:
/// torch removes what nothing uses while it compiles, and then it cannot run.
std::string forwardWith(const std::string& lines) {
  return "  def forward(self: __torch__.Net,\n    x: Tensor) -> Any:\n" + lines +
         (lines.find("_0 = ") == std::string::npos ? "    return torch.mul(x, 2)\n"
                                                   : "    return (_0, x)\n");
}

/// `forward`, and another method with these lines.
std::string methodWith(const std::string& lines) {
  return kForward + "  def other(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n"s + lines +
         "    return x\n";
}

struct Case {
  std::string name;
  NetworkArchive network;
  std::string named;  ///< what the refusal names
};

void PrintTo(const Case& hostile, std::ostream* out) {
  *out << hostile.name;
}

/// Forbidden operators, each in the plainest place.
std::vector<Case> operators() {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"torch.save(x, \"w\")", "aten::save"},
      {"_0 = torch.from_file(\"/etc/hostname\", False, 4, dtype=0)", "aten::from_file"},
      {"_0 = torch.manual_seed(1)", "aten::manual_seed"},
      {"_0 = torch.get_gradients(0)", "aten::get_gradients"},
      {"_0 = torch.set_(x, x)", "aten::set_"},
      {"torch.backward(torch.sum(x))", "aten::backward"},
      {"_0 = torch._unsafe_index(x, [torch.tensor(1000000000)])", "aten::_unsafe_index"},
      {"_0 = torch._unsafe_index_put(x, [torch.tensor(1000000000)], x)", "aten::_unsafe_index_put"},
      {"_0 = torch._index_put_impl_(x, [torch.tensor(1)], x, False, True)",
       "aten::_index_put_impl_"},
      {"_0 = torch._sparse_coo_tensor_unsafe(x, x, [1000000000])",
       "aten::_sparse_coo_tensor_unsafe"},
      {"_0 = torch.pin_memory(x)", "aten::pin_memory"},
      {"torch.record_stream(x, cuda.current_stream(None))", ""},
      {"_0 = torch._foobar(x)", "aten::_foobar"},
      {"_0 = torch._foreach_add([x], 1)", "aten::_foreach_add"},
      {"_0 = torch._cufft_get_plan_cache_size(0)", "aten::_cufft_get_plan_cache_size"},
      {"_0 = torch._resize_output_(x, [1], torch.device(\"cpu\"))", "aten::_resize_output_"},
      {"_0 = ops.cuda._current_device()", ""},
      {"ops.cuda._set_device(0)", ""},
      {"_0 = ops.inductor._reinterpret_tensor(x, [1000000000], [1], 0)",
       "inductor::_reinterpret_tensor"},
      {"_0 = ops.inductor._alloc_from_pool(x, 0, 6, [1000000000], [1])",
       "inductor::_alloc_from_pool"},
      {"_0 = ops.mkldnn.data_ptr(x)", "mkldnn::data_ptr"},
      {"_0 = ops._c10d_functional.wait_tensor(x)", "_c10d_functional::wait_tensor"},
      {"_0 = ops._c10d_functional.all_reduce(x, \"sum\", \"g\")", "_c10d_functional::all_reduce"},
      {"_0 = ops.profiler._record_function_enter(\"n\", None)", "profiler::_record_function_enter"},
      {"_0 = ops.static_runtime.signed_log1p(x)", "static_runtime::signed_log1p"},
      {"_0 = ops.symm_mem.one_shot_all_reduce(x, \"sum\", \"g\")", "symm_mem::one_shot_all_reduce"},
      {"_0 = ops.debugprims.load_tensor(\"n\", [1], [1], dtype=6, device=torch.device(\"cpu\"))",
       ""},
      {"_0 = ops.prims.as_strided(x, [1000000000], [1], 0)", ""},
      {"_0 = ops.quantized.embedding_bag_4bit_rowwise_offsets(x, x)",
       "quantized::embedding_bag_4bit_rowwise_offsets"},
      {"_0 = ops.prim.TimePoint()", "prim::TimePoint"},
      {"ops.prim.AddStatValue(\"n\", 1)", "prim::AddStatValue"},
  };
  std::vector<Case> cases;
  for (const auto& [line, named] : lines) {
    // Operators that only Python registers are unknown here: refused without the list.
    std::string name = named.empty() ? line.substr(0, line.find('(')) : named;
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    cases.push_back({"Operator_" + name, {.program = forwardWith("    " + line + "\n")}, named});
  }
  return cases;
}

/// The same operator, wherever a program can hide it.
std::vector<Case> places() {
  const std::string save = "torch.save(x, \"w\")\n";
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, NetworkArchive network,
                            const std::string& named = "aten::save") {
    cases.push_back({"Place_" + name, std::move(network), named});
  };
  add("SetState",
      {.program = kForward + "  def __getstate__(self: __torch__.Net) -> Tuple[bool, int]:\n"
                             "    return (False, 1)\n"
                             "  def __setstate__(self: __torch__.Net,\n"
                             "    state: Tuple[bool, int]) -> NoneType:\n"
                             "    torch.save(torch.zeros([1]), \"w\")\n"
                             "    self.training = (state)[0]\n"
                             "    return None\n"s,
       .data = test::pickledObject("__torch__.Net", "\x89K\x01\x86")});
  add("GetState", {.program = kForward + "  def __getstate__(self: __torch__.Net) -> bool:\n"
                                         "    torch.save(torch.zeros([1]), \"w\")\n"
                                         "    return False\n"s});
  add("BranchThatNeverRuns", {.program = forwardWith("    if torch.gt(torch.dim(x), 99):\n      " +
                                                     save + "    else:\n      pass\n")});
  add("BranchOnTraining",
      {.program = forwardWith("    if self.training:\n      " + save + "    else:\n      pass\n")});
  add("BranchOnValues",
      {.program = forwardWith("    if bool(torch.gt(torch.sum(x), 1000000.)):\n      " + save +
                              "    else:\n      pass\n")});
  add("Loop", {.program = forwardWith("    for i in range(3):\n      " + save)});
  add("WhileLoop", {.program = forwardWith("    i = 0\n    while torch.lt(i, 3):\n      " + save +
                                           "      i = torch.add(i, 1)\n")});
  add("MethodNotCalled", {.program = methodWith("    " + save)});
  add("AsMethodOfATensor", {.program = forwardWith("    x.save(\"w\")\n")}, "");
  add("UnderAnotherName", {.program = forwardWith("    f = torch.save\n    f(x, \"w\")\n")});
  add("Overload", {.program = forwardWith("    ops.aten.save(x, \"w\")\n")});
  add("OfAnObject", {.program = forwardWith("    torch.save([x], \"w\")\n")});
  add("Function", {.program = forwardWith("    _0 = __torch__.helper(x, )\n"),
                   .before = "def helper(x: Tensor) -> Tensor:\n  " + save + "  return x\n"});
  add("FunctionOfAFunction",
      {.program = forwardWith("    _0 = __torch__.outer(x, )\n"),
       .before = "def inner(x: Tensor) -> Tensor:\n  " + save +
                 "  return x\ndef outer(x: Tensor) -> Tensor:\n  return __torch__.inner(x, )\n"});
  add("FunctionInAnotherFile",
      {.program = forwardWith("    _0 = __torch__.far.helper(x, )\n"),
       .files = {
           {"__torch__/far.py", "def helper(x: Tensor) -> Tensor:\n  " + save + "  return x\n"}}});
  add("ClassOfAnAttribute",
      {.program = "  part : __torch__.Part\n"s + kForward,
       .before = "class Part(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
                 "  def run(self: __torch__.Part,\n    x: Tensor) -> Tensor:\n    " +
                 save + "    return x\n",
       .data = test::pickledObject("__torch__.Net",
                                   "}(X\x08\x00\x00\x00training\x89X\x04\x00\x00\x00part"s +
                                       "c__torch__\nPart\n)\x81}bu")});
  add("ObjectMadeWhileRunning",
      {.program = forwardWith("    _0 = __torch__.Maker.__new__(__torch__.Maker)\n"
                              "    _1 = (_0).__init__(x, )\n"),
       .before =
           "class Maker:\n  x : Tensor\n  def __init__(self: __torch__.Maker,\n    x: Tensor) -> "
           "NoneType:\n    " +
           save + "    self.x = x\n    return None\n"});
  add("Property",
      {
          .program = "  @property\n  def seen(self: __torch__.Net) -> int:\n"
                     "    torch.save(torch.zeros([1]), \"w\")\n    return 1\n"s +
                     kForward,
      },
      "");
  add("Ternary",
      {.program = forwardWith("    _0 = torch.save(x, \"w\") if self.training else None\n")});
  add("Assertion", {.program = forwardWith("    assert torch.eq(torch.save(x, \"w\"), None)\n")},
      "");
  add("Comprehension",
      {.program =
           forwardWith("    _0 = [torch.from_file(\"/etc/hostname\", False, i, dtype=0) for i in "
                       "[1, 2]]\n")},
      "aten::from_file");
  add("With",
      {.program = forwardWith("    with __torch__.Guard.__new__(__torch__.Guard):\n      _0 = "
                              "torch.mul(x, 3)\n"),
       .before = "class Guard:\n  def __enter__(self: __torch__.Guard) -> NoneType:\n"
                 "    torch.save(torch.zeros([1]), \"w\")\n    return None\n"
                 "  def __exit__(self: __torch__.Guard,\n    a: Any,\n    b: Any,\n    c: Any) -> "
                 "NoneType:\n    return None\n"});
  add("Fork",
      {.program = forwardWith("    _0 = fork(__torch__.helper, x)\n"),
       .before = "def helper(x: Tensor) -> Tensor:\n  return x\n"},
      "fork");
  add("ForkOfForbidden",
      {.program = forwardWith("    _0 = fork(__torch__.helper, x)\n"),
       .before = "def helper(x: Tensor) -> Tensor:\n  " + save + "  return x\n"},
      "");
  add("Wait",
      {.program =
           methodWith("    f = annotate(Future[Tensor], self.later(x))\n    y = torch.wait(f)\n") +
           "  def later(self: __torch__.Net,\n    x: Tensor) -> Future[Tensor]:\n"
           "    return fork(__torch__.helper, x)\n",
       .before = "def helper(x: Tensor) -> Tensor:\n  return x\n"},
      "");
  add("Rpc",
      {.program = forwardWith("    _0 = rpc_sync(\"w\", __torch__.helper, (x,), {})\n"),
       .before = "def helper(x: Tensor) -> Tensor:\n  return x\n"},
      "");
  add("Python", {.program = forwardWith("    _0 = ^os.system(\"touch w\")(x)\n")}, "");
  return cases;
}

/// What torch runs while it reads or compiles a program.
std::vector<Case> whileCompiling() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, NetworkArchive network,
                            const std::string& named) {
    cases.push_back({"Compiling_" + name, std::move(network), named});
  };
  const std::string file = "torch.from_file(\"/etc/hostname\", False, 4, dtype=0)";
  add("DefaultOfForward",
      {.program = "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor=" + file +
                  ") -> Tensor:\n    return torch.add(x, torch.sum(y))\n"},
      "a default of an argument");
  add("DefaultThatSaves",
      {.program =
           "  def forward(self: __torch__.Net,\n    x: Tensor,\n"
           "    y: NoneType=torch.save(torch.zeros([1]), \"w\")) -> Tensor:\n    return x\n"},
      "a default of an argument");
  add("DefaultOfAnotherMethod",
      {.program = kForward + "  def other(self: __torch__.Net,\n    y: Tensor="s + file +
                  ") -> Tensor:\n    return y\n"},
      "a default of an argument");
  add("DefaultInsideAList",
      {.program = "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: List[Tensor]=[" +
                  file + "]) -> Tensor:\n    return x\n"},
      "a default of an argument");
  add("DefaultInsideAnAnnotation",
      {.program =
           "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor=annotate(Tensor, " +
           file + ")) -> Tensor:\n    return x\n"},
      "a default of an argument");
  add("DefaultInsideAConversion",
      {.program = "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: float=float(" + file +
                  ")) -> Tensor:\n    return x\n"},
      "a default of an argument");
  add("DefaultByAMethodOfText",
      {.program =
           "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: str=\"a\".join([\"b\"])) -> "
           "Tensor:\n    return x\n"},
      "a default of an argument");
  add("DefaultOfAFunction",
      {.program = forwardWith("    _0 = __torch__.helper()\n"),
       .before = "def helper(y: Tensor=" + file + ") -> Tensor:\n  return y\n"},
      "a default of an argument");
  add("DefaultOfANestedFunction",
      {.program =
           forwardWith("    def inner(y: Tensor=" + file + ") -> Tensor:\n      return y\n")},
      "");
  add("ConstantOfTheClass", {.program = "  size : Final[Tensor] = " + file + "\n" + kForward},
      "a constant of a class");
  add("ConstantThatIsComputed", {.program = "  size : Final[int] = torch.mul(3, 4)\n"s + kForward},
      "a constant of a class");
  add("DefaultOfANamedTuple",
      {.program = forwardWith("    _0 = __torch__.Pair(x)\n"),
       .before = "class Pair(NamedTuple):\n  a : Tensor\n  b : Tensor = " + file + "\n"},
      "a constant of a class");
  add("OldProgram",
      {.program = "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor=" + file +
                  ") -> Tensor:\n    return x\n",
       .before = "op_version_set = 1\n"},
      "a default of an argument");
  return cases;
}

/// Classes, objects and tensors in the pickled part.
std::vector<Case> pickles() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, NetworkArchive network,
                            const std::string& named) {
    cases.push_back({"Pickle_" + name, std::move(network), named});
  };
  add("PythonFunction",
      {.program = kForward,
       .data = "\x80\x02"
               "cos\nsystem\nX\x07\x00\x00\x00touch w\x85R."s},
      "");
  add("CustomClass",
      {.program = kForward,
       .data = test::pickledObject("__torch__.torch.classes.c10d.FakeProcessGroup", "}")},
      "");
  add("ProcessGroup",
      {.program = kForward,
       .data = test::pickledObject("__torch__.torch.classes.c10d.ProcessGroup", "}")},
      "torch.classes.c10d.ProcessGroup");
  add("ProfilerClass",
      {.program = kForward,
       .constants = "\x80\x02"
                    "c__torch__.torch.classes.profiling\nSourceRef\n)\x81}b\x85."s},
      "torch.classes.profiling.SourceRef");
  add("CustomClassMadeWhileRunning",
      {.program = forwardWith("    _0 = torch.classes.profiling._ScriptProfile()\n")}, "");
  add("CustomClassInADeclaration",
      {.program = methodWith("") +
                  "  def third(self: __torch__.Net,\n    p: "
                  "__torch__.torch.classes.profiling._ScriptProfile) -> NoneType:\n"
                  "    p.enable()\n    return None\n"},
      "torch.classes.profiling._ScriptProfile");
  // torch._utils._rebuild_tensor_v2(storage of 100 floats, offset, sizes, strides)
  const auto tensor = [](const std::string& count, const std::string& offset,
                         const std::string& size, const std::string& stride) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\n"s +
           "X\x01\x00\x00\x00"
           "0X\x03\x00\x00\x00"
           "cpu"s +
           count + "tQ" + offset + size + "\x85" + stride +
           "\x85\x89"
           "ccollections\nOrderedDict\n)RtR";
  };
  const auto archive = [&](const std::string& pickled_tensor) {
    return NetworkArchive{
        .program = "  weight : Tensor\n"s + kForward,
        .data = test::pickledObject(
            "__torch__.Net",
            "}(X\x08\x00\x00\x00training\x89X\x06\x00\x00\x00weight"s + pickled_tensor + "u"),
        .records = {{"data/0", std::string(400, '\0')}}};
  };
  const std::string hundred = "Kd";
  const std::string billion = "J\x00\xCA\x9A\x3B"s;
  add("TensorBeyondItsBytes", archive(tensor(hundred, "K\x00"s, billion, "K\x01")),
      "reaches beyond");
  add("TensorThatStartsBeyond", archive(tensor(hundred, billion, "K\x05", "K\x01")),
      "reaches beyond");
  add("TensorWithLongSteps", archive(tensor(hundred, "K\x00"s, "K\x05", billion)),
      "reaches beyond");
  add("StorageThatClaimsMore", archive(tensor(billion, "K\x00"s, billion, "K\x01")), "");
  add("StorageThatClaimsMoreThanItsTensorUses",
      archive(tensor(billion, "K\x00"s, "K\x05", "K\x01")), "reaches beyond");
  add("TensorThatStartsBefore", archive(tensor(hundred, "J\x00\xFF\xFF\xFF"s, "K\x05", "K\x01")),
      "");
  add("ConstantBeyondItsBytes",
      {.program = kForward,
       .constants = "\x80\x02" + tensor(hundred, "K\x00"s, billion, "K\x01") + "\x85.",
       .records = {{"constants/0", std::string(400, '\0')}}},
      "reaches beyond");
  return cases;
}

std::vector<Case> allCases() {
  std::vector<Case> all;
  for (auto& group : {operators(), places(), whileCompiling(), pickles()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

class HostileNetwork : public testing::TestWithParam<Case> {
 protected:
  // Programs write to relative paths.
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::create_directory(dir_.path() / "here");
    std::filesystem::current_path(dir_.path() / "here");
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  test::TempDir dir_;
  std::filesystem::path before_;
};

TEST_P(HostileNetwork, IsRefusedBeforeAnythingOfItRuns) {
  const std::string path = dir_.file("net.pt");
  test::writeBytes(path, test::buildArchive(GetParam().network));
  const auto archive = openTorchScript(path);
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::current_path())) << "it wrote a file";
  ASSERT_FALSE(archive);
  const std::string& message = archive.error().message;
  RecordProperty("message", message);
  EXPECT_THAT(message, HasSubstr(path));
  EXPECT_THAT(message, HasSubstr(GetParam().named));
  if (!GetParam().named.empty()) {
    EXPECT_THAT(message, HasSubstr("refused without running it"));
  }
  EXPECT_TRUE(std::ranges::none_of(message, [](char c) { return c >= 0 && c < ' '; })) << message;
}

INSTANTIATE_TEST_SUITE_P(All, HostileNetwork, testing::ValuesIn(allCases()),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(HostileNetworks, TheArchiveOfTheTestsIsReadWhereItsProgramOnlyComputes) {
  const test::TempDir dir;
  const std::string path = dir.file("net.pt");
  test::writeBytes(
      path,
      test::buildArchive({.program = "  size : Final[List[float]] = [1., -2.5, float(\"inf\")]\n"s +
                                     "  def forward(self: __torch__.Net,\n    x: Tensor,\n"
                                     "    y: Optional[int]=None,\n    z: List[int]=[1, 2],\n"
                                     "    d: Device=torch.device(\"cpu\")) -> Tensor:\n"
                                     "    print(\"text\")\n    return torch.mul(x, 2)\n"}));
  const auto archive = openTorchScript(path);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_TRUE(archive->module.find_method("forward"));
}

TEST(HostileNetworks, ThoseThatActedAreRefused) {
  DUBITO_NEEDS_SHARED();
  for (const char* name : {"writes_file.pt", "setstate_writes.pt", "reads_file.pt"}) {
    RunContext context;
    const auto model =
        loadModel((*test::sharedDir() / "cases/models" / name).string(), {}, context);
    ASSERT_FALSE(model) << name;
    EXPECT_THAT(model.error().message,
                HasSubstr(name[0] == 'r' ? "aten::from_file" : "aten::save"));
  }
  EXPECT_FALSE(std::filesystem::exists("written_by_model.bin"));
  EXPECT_FALSE(std::filesystem::exists("written_while_opening.bin"));
}

}  // namespace
}  // namespace dubito
