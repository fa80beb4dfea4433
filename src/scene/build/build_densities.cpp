#include "scene/build/build_densities.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "kinematics/elements/mass_properties.h"
#include "mesh/io/text_scanner.h"
#include "mesh/mesh_summary.h"
#include "scene/build/load_mesh.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

std::vector<double> read_densities(const std::string& file) {
  const std::string text = read_file(file);
  TextScanner scan(text, file, '#');
  std::vector<double> values;
  while (!scan.at_end()) {
    values.push_back(scan.read<double>("a density"));
    if (!(values.back() > 0)) scan.fail("a density must be above 0", "Densities are in kg/m³.");
  }
  return values;
}

// Given densities over that of the material.
std::vector<double> take_given(std::vector<double> values, const Location& where, size_t tets,
                               double density) {
  if (values.size() != tets) {
    throw InputError(
        where,
        fmt::format("{} for {}", format_count(static_cast<long>(values.size()), "density", "densities"),
                    format_count(static_cast<long>(tets), "tet", "tets")),
        "Give one density per tet, in the order of the mesh.");
  }
  for (double& value : values) value /= density;
  return values;
}

}  // namespace

std::vector<double> make_densities(const BodyDescription& body, const BodyPlace& place,
                                   const std::vector<TetMass>& tets, const Mesh& collider,
                                   std::vector<std::string>& notes) {
  if (!body.densities) return {};
  const DensitiesDescription& wanted = *body.densities;
  const double density = body.material.density;
  if (wanted.values) return take_given(*wanted.values, place.at("densities.values"), tets.size(), density);
  if (wanted.file) {
    const std::string file = resolve_path(place.scene_path, *wanted.file);
    return take_given(read_densities(file), {file, 0, 0, {}}, tets.size(), density);
  }
  double filled = 0;
  Vec3 before = Vec3::Zero();
  for (const TetMass& tet : tets) {
    filled += tet.volume;
    before += tet.volume * tet.center;
  }
  before /= filled;
  double volume = filled;
  const char* key = wanted.match_collider ? "densities.match_collider" : "densities.center_of_mass";
  Vec3 center;
  if (wanted.match_collider) {
    if (!is_closed_surface(collider.triangles)) {
      throw InputError(place.at(key), "the collider encloses no solid: its surface is not closed",
                       "Close it with `marrow prepare repair`, or give center_of_mass.");
    }
    const MassProperties solid = compute_mass_properties(collider, 1, 0);
    volume = solid.mass;
    center = solid.center;
  } else {
    Points points = {*wanted.center_of_mass};
    place_points(body, points);
    center = points.front();
  }
  const double mean = volume / filled;
  std::vector<double> densities =
      balance_densities(tets, volume, center, wanted.least * mean, wanted.most * mean);
  if (densities.empty()) {
    throw InputError(place.at(key),
                     fmt::format("no densities between {:g} and {:g} kg/m³ put the centre of mass there",
                                 wanted.least * mean * density, wanted.most * mean * density),
                     "Widen least and most, or use finer tets.");
  }
  const auto [least, most] = std::minmax_element(densities.begin(), densities.end());
  notes.push_back(fmt::format("{}: densities of {:.4g} to {:.4g} kg/m³ move the centre of mass by {:.3g} m",
                              to_string(place.at("densities")), *least * density, *most * density,
                              (center - before).norm()));
  return densities;
}

std::vector<TetMass> compute_tet_masses(const Mesh& tets, const std::vector<double>& fills) {
  std::vector<TetMass> masses;
  for (size_t t = 0; t < tets.tets.size(); ++t) {
    const Tet& v = tets.tets[t];
    const Points& x = tets.points;
    const double fill = fills.empty() ? 1 : fills[t];
    masses.push_back({fill * compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]),
                      (x[v[0]] + x[v[1]] + x[v[2]] + x[v[3]]) / 4});
  }
  return masses;
}

}  // namespace marrow
