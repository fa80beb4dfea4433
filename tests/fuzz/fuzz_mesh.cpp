// Every mesh reader on arbitrary bytes: an InputError or a mesh with sound indices, nothing else. The first
// byte selects the format. What is read must survive a round trip through the checks, the summary and the
// writer.
#include <cstdlib>

#include "core/error.h"
#include "fuzz_target.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Elements>
void require_in_range(const Elements& elements, size_t point_count) {
  for (const auto& element : elements) {
    for (const Index v : element) require(v >= 0 && static_cast<size_t>(v) < point_count);
  }
}

void require_sound(const Mesh& mesh) {
  require(!mesh.points.empty());
  for (const Vec3& p : mesh.points) require(p.allFinite());
  require(mesh.radii.empty() || mesh.radii.size() == mesh.points.size());
  require_in_range(mesh.edges, mesh.points.size());
  require_in_range(mesh.triangles, mesh.points.size());
  require_in_range(mesh.tets, mesh.points.size());
}

// The checks may refuse the mesh, but only with an InputError.
void run_checks(const Mesh& mesh) {
  for (const auto check : {check_tet_mesh, check_closed_surface}) {
    try {
      check(mesh, "fuzz");
    } catch (const InputError&) {
    }
  }
  summarize(mesh);
}

void fuzz_one(MeshFormat format, std::string_view bytes) {
  Mesh mesh;
  try {
    mesh = parse_mesh(format, bytes, "fuzz");
  } catch (const InputError& error) {
    require(!error.problem().empty());
    return;
  }
  require_sound(mesh);
  run_checks(mesh);
  const Mesh back = parse_mesh(format, format_mesh(format, mesh, MeshEncoding::Ascii), "again");
  require(back.triangles.size() == mesh.triangles.size() && back.tets == mesh.tets &&
          back.edges == mesh.edges);
  require(format == MeshFormat::Stl || back.points == mesh.points);
}

void add_seed(MeshFormat format, const std::string& bytes, std::vector<std::string>& seeds) {
  seeds.push_back(std::string(1, static_cast<char>(format)) + bytes);
}

}  // namespace
}  // namespace marrow

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<marrow::MeshFormat>(data[0] % marrow::kMeshFormatCount);
  marrow::fuzz_one(format, {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}

void add_seeds(std::vector<std::string>& seeds) {
  using namespace marrow;
  const Mesh body = build_shape(SpikeShape{.resolution = 1});
  for (int f = 0; f < kMeshFormatCount; ++f) {
    const auto format = static_cast<MeshFormat>(f);
    Mesh mesh = body;
    const bool holds_tets =
        format == MeshFormat::Msh || format == MeshFormat::Vtk || format == MeshFormat::TetGen;
    if (!holds_tets) mesh.tets.clear();
    if (format == MeshFormat::Ply || format == MeshFormat::Ma) {
      mesh.radii.assign(mesh.points.size(), 0.25);
      mesh.edges = {{0, 1}};
    }
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
      if (has_encoding(format, encoding)) add_seed(format, format_mesh(format, mesh, encoding), seeds);
      if (format == MeshFormat::Msh) add_seed(format, format_msh(mesh, encoding, MshVersion::V22), seeds);
    }
  }
  add_seed(MeshFormat::Vtk,
           "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\n"
           "POLYGONS 3 7\nOFFSETS vtktypeint64\n0 3 7\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3\n"
           "LINES 1 3\n2 0 1\nFIELD f 1\na 1 2 int\n1 2\n",
           seeds);
  add_seed(MeshFormat::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1/1 2//1 -1\nl 1 2 3\np 1\n", seeds);
  add_seed(MeshFormat::Off, "COFF 3 1 0\n0 0 0 1\n1 0 0 1 # c\n0 1 0 1\n3 0 1 2 255 0 0\n", seeds);
}
