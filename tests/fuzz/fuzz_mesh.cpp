// Every mesh reader on arbitrary bytes: an InputError or a mesh with sound indices, nothing else. The first
// byte selects the format. What is read must survive a round trip through the checks, the summary and the
// writer.
#include <cstdlib>

#include "core/error.h"
#include "fuzz_target.h"
#include "mesh/io/curved_file.h"
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

// The same bytes for those who take curved tets, and as a file of VTK's XML.
template <class Parse>
void fuzz_curved(const Parse& parse) {
  CurvedFile file;
  try {
    file = parse();
  } catch (const InputError& error) {
    require(!error.problem().empty());
    return;
  }
  require_sound(file.mesh);
  require(file.order >= 1 && file.order <= 4);
  require(file.tet_nodes.size() ==
          (file.is_curved() ? file.mesh.tets.size() * list_vtk_places(file.order).size() : 0));
  for (const Index node : file.tet_nodes) {
    require(node >= 0 && static_cast<size_t>(node) < file.mesh.points.size());
  }
}

void add_seed(MeshFormat format, const std::string& bytes, std::vector<std::string>& seeds) {
  seeds.push_back(std::string(1, static_cast<char>(format)) + bytes);
}

}  // namespace
}  // namespace marrow

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<marrow::MeshFormat>(data[0] % marrow::kMeshFormatCount);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  marrow::fuzz_one(format, bytes);
  marrow::fuzz_curved([&] { return marrow::parse_curved_file(format, bytes, "fuzz"); });
  if (bytes.starts_with("<?xml")) {
    marrow::fuzz_curved([&] { return marrow::parse_vtu_mesh(bytes, "fuzz"); });
  }
  return 0;
}

void add_seeds(std::vector<std::string>& seeds) {
  using namespace marrow;
  // One tet of order 2 with its middles on the edges; more by the fuzzer.
  CurvedFile curved;
  curved.order = 2;
  curved.mesh.points = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                        {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {0, .5, .5}, {.5, 0, .5}};
  curved.mesh.tets = {{0, 1, 2, 3}};
  for (Index k = 0; k < 10; ++k) curved.tet_nodes.push_back(k);
  for (const MeshFormat format : {MeshFormat::Msh, MeshFormat::Vtk}) {
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
      add_seed(format, format_curved_file(format, curved, encoding), seeds);
    }
  }
  add_seed(MeshFormat::Vtk,
           "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt32\"><UnstructuredGrid><Piece><Points><DataArray type=\"Float64\" "
           "format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int32\" "
           "Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" "
           "Name=\"offsets\" format=\"ascii\">4</DataArray><DataArray type=\"UInt8\" Name=\"types\" "
           "format=\"binary\">AQAAAAo=</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
           seeds);
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
