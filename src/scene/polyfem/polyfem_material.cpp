#include "scene/polyfem/polyfem_material.h"

#include <fmt/format.h>

#include <algorithm>

namespace marrow {
namespace {

using Kind = JsonNode::Kind;

double read_positive(const JsonNode& node, const char* key, const char* wanted) {
  const auto member = polyfem_member(node, key);
  if (!member) node.fail(fmt::format("the key \"{}\" is missing", key), fmt::format("It is {}.", wanted));
  const double value = read_polyfem_number(*member, wanted);
  if (!(value > 0)) member->fail(fmt::format("found {:g}, wanted {} above 0", value, wanted), "");
  return value;
}

// E and nu, or from Lamé's constants lambda and mu.
void read_stiffness(const JsonNode& node, MaterialDescription& material) {
  if (polyfem_member(node, "lambda") || polyfem_member(node, "mu")) {
    const double mu = read_positive(node, "mu", "Lamé's constant mu in Pa");
    const auto member = polyfem_member(node, "lambda");
    if (!member) node.fail("the key \"lambda\" is missing", "It is Lamé's constant lambda in Pa.");
    const double lambda = read_polyfem_number(*member, "Lamé's constant lambda in Pa");
    material.youngs_modulus = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    material.poissons_ratio = lambda / (2 * (lambda + mu));
    return;
  }
  material.youngs_modulus = read_positive(node, "E", "Young's modulus in Pa");
  const auto nu = polyfem_member(node, "nu");
  if (!nu) node.fail("the key \"nu\" is missing", "It is Poisson's ratio.");
  material.poissons_ratio = read_polyfem_number(*nu, "Poisson's ratio");
  if (!(material.poissons_ratio > -1 && material.poissons_ratio < 0.5))
    nu->fail(
        fmt::format("found {:g}, wanted Poisson's ratio above -1 and below 0.5", material.poissons_ratio),
        "");
}

std::string read_type(const JsonNode& node) {
  const auto type = polyfem_member(node, "type");
  if (!type) node.fail("the key \"type\" is missing", "It is the elastic law, such as NeoHookean.");
  return read_polyfem_text(*type, "the name of an elastic law");
}

void check_law_keys(const JsonNode& node) {
  check_polyfem_keys(node,
                     {"id", "type", "E", "nu", "lambda", "mu", "rho", "phi", "psi", "models", "comment"});
  for (const char* key : {"phi", "psi"}) {
    const auto damping = polyfem_member(node, key);
    if (damping && read_polyfem_number(*damping, "a viscosity") != 0)
      damping->fail("viscosity by phi and psi is not supported", "Set it to 0.");
  }
}

void read_law(const JsonNode& node, MaterialDescription& material) {
  const std::string type = read_type(node);
  check_law_keys(node);
  if (type == "NeoHookean" || type == "NeoHookeanAutodiff") {
    material.model = MaterialModel::NeoHookean;
  } else if (type == "SaintVenant") {
    material.model = MaterialModel::StVenantKirchhoff;
  } else if (type == "FixedCorotational") {
    material.model = MaterialModel::FixedCorotated;
  } else {
    polyfem_member(node, "type")
        ->fail(
            fmt::format("the law {} has no counterpart with the same energy", type),
            "Known are NeoHookean, SaintVenant, FixedCorotational, and MaterialSum of one of these with an "
            "InversionBarrier.");
  }
  read_stiffness(node, material);
}

// One law and, perhaps, a barrier against inversion, which a neo-Hookean body needs none of.
void read_sum(const JsonNode& node, MaterialDescription& material, std::vector<std::string>& notices) {
  check_law_keys(node);
  const auto models = polyfem_member(node, "models");
  if (!models || models->kind() != Kind::List)
    node.fail("the list \"models\" is missing", "It has the laws that are added.");
  bool has_law = false;
  for (const JsonNode& model : list_polyfem_elements(*models)) {
    if (read_type(model) == "InversionBarrier") {
      const std::string text =
          "materials: InversionBarrier is not used: tets never turn over, whatever the law (near flattening "
          "it would "
          "be stiffer)";
      if (std::find(notices.begin(), notices.end(), text) == notices.end()) notices.push_back(text);
      continue;
    }
    if (has_law)
      model.fail("is a second law in the sum", "Only one law and an InversionBarrier can be added.");
    read_law(model, material);
    has_law = true;
  }
  if (!has_law) models->fail("has no elastic law", "Give one beside the InversionBarrier.");
}

bool has_id(const JsonNode& material, int id) {
  const auto member = polyfem_member(material, "id");
  if (!member) return false;
  const std::vector<JsonNode> ids = list_polyfem_elements(*member);
  return std::any_of(ids.begin(), ids.end(), [&](const JsonNode& n) {
    return read_polyfem_integer(n, "a whole number, the id") == id;
  });
}

}  // namespace

MaterialDescription read_polyfem_material(const JsonNode& root, int id, const JsonNode& node,
                                          std::vector<std::string>& notices) {
  const auto materials = polyfem_member(root, "materials");
  if (!materials) root.fail("has no materials", "Give at least one.");
  const std::vector<JsonNode> list = list_polyfem_elements(*materials);
  for (const JsonNode& m : list) {
    if (m.kind() != Kind::Object) m.fail("found " + m.found() + ", wanted an object, one material", "");
  }
  const bool is_for_all = list.size() == 1 && !polyfem_member(list[0], "id");
  auto chosen =
      std::find_if(list.begin(), list.end(), [&](const JsonNode& m) { return is_for_all || has_id(m, id); });
  // Tets whose ids only their file says.
  if (chosen == list.end() && list.size() == 1 && !polyfem_member(node, "volume_selection"))
    chosen = list.begin();
  if (chosen == list.end())
    node.fail(fmt::format("has the id {} (volume_selection), but no material has", id),
              "Give a material with this id.");
  MaterialDescription material;
  if (read_type(*chosen) == "MaterialSum") {
    read_sum(*chosen, material, notices);
  } else {
    read_law(*chosen, material);
  }
  material.density =
      polyfem_member(*chosen, "rho") ? read_positive(*chosen, "rho", "the density in kg/m³") : 1;
  return material;
}

}  // namespace marrow
