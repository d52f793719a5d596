// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/jit_type.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/lexer.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/tree_views.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/models/program/allowed_operators.h"
#include "core/models/program/program_check_torch.h"

namespace dubito {

using namespace torch::jit;  // NOLINT: the names of the syntax tree

namespace {

constexpr std::string_view kCustomClasses = "__torch__.torch.classes.";

std::string placeOf(const SourceRange& range) {
  const auto place = range.file_line_col();
  return place ? fmt::format("{}, line {}", std::get<0>(*place), std::get<1>(*place))
               : std::string("place unknown");
}

[[noreturn]] void refuse(std::string_view what, const SourceRange& range) {
  throw RefusedProgram(fmt::format("{} ({})", what, placeOf(range)));
}

bool isLiteral(const TreeRef& tree);

bool areLiterals(const TreeList& trees) {
  return std::ranges::all_of(trees, isLiteral);
}

/// A name, or the parts of a dotted one: "__torch__.Colour.RED".
bool isDottedName(const TreeRef& tree) {
  return tree->kind() == TK_VAR || (tree->kind() == '.' && isDottedName(tree->tree(0)));
}

/// float("nan"), annotate(List[int], []) and the other calls in which torch writes constants.
bool isLiteralCall(const Apply& call) {
  constexpr std::array<std::string_view, 5> kConversions = {"float", "int", "bool", "str",
                                                            "complex"};
  if (call.attributes().size() != 0) {
    return false;
  }
  const TreeRef callee = call.callee().tree();
  const TreeList& arguments = call.inputs().tree()->trees();
  if (callee->kind() == TK_VAR) {
    const std::string name = Var(callee).name().name();
    if (name == "annotate") {  // its first argument is a type
      return arguments.size() == 2 && isLiteral(arguments[1]);
    }
    return std::ranges::find(kConversions, name) != kConversions.end() && areLiterals(arguments);
  }
  if (callee->kind() != '.') {
    return false;
  }
  const Select select(callee);
  const TreeRef module = select.value().tree();
  return select.selector().name() == "device" && module->kind() == TK_VAR &&
         Var(module).name().name() == "torch" && areLiterals(arguments);
}

bool isLiteral(const TreeRef& tree) {
  switch (tree->kind()) {
    case TK_CONST:
    case TK_STRINGLITERAL:
    case TK_TRUE:
    case TK_FALSE:
    case TK_NONE:
      return true;
    case TK_UNARY_MINUS:
    case TK_LIST_LITERAL:
    case TK_TUPLE_LITERAL:
    case TK_DICT_LITERAL:
    case TK_LIST:
      return areLiterals(tree->trees());
    case TK_APPLY:
      return isLiteralCall(Apply(tree));
    default:
      return isDottedName(tree);
  }
}

void checkLiteral(const Expr& expression, const char* what) {
  if (!isLiteral(expression.tree())) {
    refuse(fmt::format("{} that is computed", what), expression.range());
  }
}

/// Defaults of arguments everywhere, and assignments outside of functions.
void checkTree(const TreeRef& tree, bool in_function) {
  if (tree->kind() == TK_PARAM) {
    if (const Maybe<Expr> value = Param(tree).defaultValue(); value.present()) {
      checkLiteral(value.get(), "a default of an argument");
    }
    return;
  }
  if (tree->kind() == TK_ASSIGN && !in_function) {
    if (const Maybe<Expr> value = Assign(tree).rhs(); value.present()) {
      checkLiteral(value.get(), "a constant of a class");
    }
    return;
  }
  for (const TreeRef& part : tree->trees()) {
    checkTree(part, in_function || tree->kind() == TK_DEF);
  }
}

/// "op_version_set = 3", with which old programs begin.
void skipVersion(Lexer& lexer) {
  if (lexer.cur().kind == TK_IDENT && lexer.cur().text() == "op_version_set") {
    lexer.next();
    lexer.expect('=');
    lexer.expect(TK_NUMBER);
    lexer.expect(TK_NEWLINE);
  }
}

void skipImports(Lexer& lexer) {
  while (lexer.nextIf(TK_IMPORT)) {
    while (lexer.cur().kind != TK_NEWLINE && lexer.cur().kind != TK_EOF) {
      lexer.next();
    }
    lexer.expect(TK_NEWLINE);
  }
}

void checkBlock(const Block* block);

void checkNode(const Node* node) {
  if (const std::string_view name = node->kind().toQualString(); !isAllowedOperator(name)) {
    refuse(name, node->sourceRange());
  }
  for (const Value* output : node->outputs()) {
    try {
      checkClass(*output->type());
    } catch (const RefusedProgram& refused) {
      refuse(refused.what(), node->sourceRange());
    }
  }
  for (const c10::Symbol name : node->attributeNames()) {
    if (node->kindOf(name) == AttributeKind::g) {
      checkBlock(node->g(name)->block());
    }
  }
  std::ranges::for_each(node->blocks(), checkBlock);
}

void checkBlock(const Block* block) {
  for (const Node* node : block->nodes()) {
    checkNode(node);
  }
}

}  // namespace

void checkSource(const std::shared_ptr<Source>& source) {
  Parser parser(source);
  Lexer& lexer = parser.lexer();
  skipVersion(lexer);
  for (skipImports(lexer); lexer.cur().kind != TK_EOF; skipImports(lexer)) {
    // Anything else the importer refuses without running it.
    if (lexer.cur().kind == TK_CLASS_DEF) {
      checkTree(parser.parseClass(), false);
    } else {
      checkTree(parser.parseFunction(/*is_method=*/false), false);
    }
  }
}

void checkClass(const c10::Type& type) {
  if (const auto* const named = type.castRaw<c10::ClassType>(); named && named->name()) {
    const std::string name = named->name()->qualifiedName();
    if (name.starts_with(kCustomClasses) &&
        !isAllowedCustomClass(std::string_view(name).substr(kCustomClasses.size()))) {
      throw RefusedProgram("the class " + name.substr(std::string_view("__torch__.").size()));
    }
    return;  // its attributes are looked at when objects of it are made
  }
  for (const c10::TypePtr& inner : type.containedTypes()) {
    checkClass(*inner);
  }
}

void ProgramCheck::checkGraph(const Graph& graph) {
  for (const Value* input : graph.inputs()) {
    checkClass(*input->type());
  }
  checkBlock(graph.block());
}

void ProgramCheck::checkNew(const CompilationUnit& program) {
  for (Function* const function : program.get_functions()) {
    if (checked_.insert(function).second) {
      checkGraph(*toGraphFunction(*function).graph());
    }
  }
}

}  // namespace dubito
