#include "geometry/certificates/certificate_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/byte_reader.h"

namespace marrow {
namespace {

constexpr std::string_view kMagic = "MRWCERT\n";
constexpr std::uint32_t kVersion = 1;
constexpr const char* kAdvice = "Compute it again: marrow prepare certificates MESH -o FILE.";

class ByteWriter {
 public:
  template <class T>
  void write(T value) {
    static_assert(std::endian::native == std::endian::little);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void write(std::string_view text) { bytes_ += text; }
  std::string finish() {
    write(hash_bytes(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

Index read_count(ByteReader& reader, size_t bytes_each, const char* what) {
  const auto count = reader.read<std::int32_t>(what);
  if (count < 0) reader.fail("a negative number of " + std::string(what), kAdvice);
  reader.require_room(count, 1, bytes_each, what);
  return count;
}

float read_limit(ByteReader& reader, bool may_have) {
  const auto limit = reader.read<float>("limit");
  if (limit == 0) return limit;
  if (!may_have) reader.fail("a certificate where there can be none", kAdvice);
  if (!(limit > 0) && limit != -1) reader.fail("a limit that is neither positive nor absent", kAdvice);
  return limit;
}

CertificateOptions read_options(ByteReader& reader) {
  CertificateOptions options;
  options.leaf_size = reader.read<std::int32_t>("leaf size");
  options.max_triangles = reader.read<std::int32_t>("largest patch");
  const auto kind = reader.read<std::int32_t>("kind of pairs");
  options.clearance = reader.read<double>("clearance");
  options.energy.affine_weight = reader.read<double>("affine weight");
  options.energy.thin = reader.read<double>("thin");
  const bool is_sane = options.leaf_size > 0 && options.max_triangles >= 0 && (kind == 0 || kind == 1) &&
                       options.clearance >= 0 && std::isfinite(options.clearance) &&
                       options.energy.affine_weight > 0 && std::isfinite(options.energy.affine_weight) &&
                       options.energy.thin >= 0 && options.energy.thin <= 1;
  if (!is_sane) reader.fail("options out of range", kAdvice);
  options.pairs = kind == 0 ? CertifiedPairs::Triangles : CertifiedPairs::Simplices;
  return options;
}

PatchSplit read_split(ByteReader& reader, size_t triangle_count) {
  PatchSplit split;
  const Index triangles = read_count(reader, 4, "triangles");
  for (Index i = 0; i < triangles; ++i) split.order.push_back(reader.read<std::int32_t>("order"));
  const Index nodes = read_count(reader, 24, "nodes");
  for (Index i = 0; i < nodes; ++i) {
    PatchNode node;
    node.first = reader.read<std::int32_t>("node");
    node.last = reader.read<std::int32_t>("node");
    node.left = reader.read<std::int32_t>("node");
    node.right = reader.read<std::int32_t>("node");
    node.level = reader.read<std::int32_t>("node");
    node.is_connected = reader.read<std::int32_t>("node") != 0;
    split.nodes.push_back(node);
  }
  if (!is_split_valid(split, triangle_count)) reader.fail("not a hierarchy of the mesh's triangles", kAdvice);
  return split;
}

// Everything but the last eight bytes, which are the sum of the others.
std::string_view check_frame(std::string_view bytes, const std::string& name) {
  const auto fail = [&](const std::string& problem) { throw InputError({name, 0, 0, {}}, problem, kAdvice); };
  if (bytes.substr(0, kMagic.size()) != kMagic) fail("not a file of certificates");
  if (bytes.size() < kMagic.size() + 12) fail("the file ends too early");
  const auto version = load<std::uint32_t>(bytes.data() + kMagic.size(), std::endian::little);
  if (version != kVersion)
    fail("version " + std::to_string(version) + " of the format; this program reads version 1");
  const std::string_view body = bytes.substr(0, bytes.size() - 8);
  if (load<std::uint64_t>(bytes.data() + body.size(), std::endian::little) != hash_bytes(body))
    fail("the file is damaged or incomplete: its checksum is wrong");
  return body;
}

}  // namespace

std::uint64_t hash_mesh(const Points& rest, const std::vector<Triangle>& triangles) {
  const auto view = [](const auto& list) {
    return std::string_view(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  };
  return hash_bytes(view(triangles), hash_bytes(view(rest)));
}

std::string format_certificates(const Certificates& certificates, std::uint64_t mesh_hash) {
  ByteWriter out;
  out.write(kMagic);
  out.write(kVersion);
  out.write(mesh_hash);
  const CertificateOptions& options = certificates.options;
  out.write(std::int32_t{options.leaf_size});
  out.write(std::int32_t{options.max_triangles});
  out.write(std::int32_t{options.pairs == CertifiedPairs::Triangles ? 0 : 1});
  out.write(options.clearance);
  out.write(options.energy.affine_weight);
  out.write(options.energy.thin);
  const PatchTree& tree = certificates.tree;
  out.write(static_cast<std::int32_t>(tree.ids.size()));
  for (const Index id : tree.ids) out.write(std::int32_t{id});
  out.write(static_cast<std::int32_t>(tree.nodes.size()));
  for (const PatchNode& node : tree.nodes) {
    for (const Index value :
         {node.first, node.last, node.left, node.right, node.level, Index{node.is_connected}}) {
      out.write(std::int32_t{value});
    }
  }
  for (const float limit : certificates.node_limits) out.write(limit);
  out.write(static_cast<std::int32_t>(tree.pairs.size()));
  for (const float limit : certificates.pair_limits) out.write(limit);
  out.write(static_cast<std::int32_t>(certificates.planes.size()));
  for (const SeparatingPlane& plane : certificates.planes) {
    out.write(std::int32_t{plane.pair});
    for (const float coordinate : plane.normal) out.write(coordinate);
  }
  return out.finish();
}

Certificates parse_certificates(std::string_view bytes, const std::string& name, const Points& rest,
                                const std::vector<Triangle>& triangles) {
  ByteReader reader(check_frame(bytes, name), name, std::endian::little, kMagic.size() + 4);
  if (reader.read<std::uint64_t>("fingerprint") != hash_mesh(rest, triangles)) {
    reader.fail("certificates of another mesh, or of another rest shape",
                "Give the mesh they were computed for, or compute them again.");
  }
  Certificates certificates;
  certificates.options = read_options(reader);
  certificates.tree = build_patch_tree(rest, triangles, read_split(reader, triangles.size()));
  const PatchTree& tree = certificates.tree;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const bool may_have = is_certifiable(tree, certificates.options, static_cast<Index>(i));
    certificates.node_limits.push_back(read_limit(reader, may_have));
  }
  if (static_cast<size_t>(read_count(reader, 4, "pairs")) != tree.pairs.size())
    reader.fail("the number of pairs differs from that of the mesh", kAdvice);
  for (const PatchPair& pair : tree.pairs) {
    certificates.pair_limits.push_back(read_limit(reader, is_certifiable(tree, certificates.options, pair)));
  }
  const Index planes = read_count(reader, 16, "planes");
  for (Index i = 0; i < planes; ++i) {
    SeparatingPlane plane;
    plane.pair = reader.read<std::int32_t>("plane");
    for (float& coordinate : plane.normal) coordinate = reader.read<float>("plane");
    const bool is_in_order = certificates.planes.empty() || certificates.planes.back().pair < plane.pair;
    const bool is_there = plane.pair >= 0 && static_cast<size_t>(plane.pair) < tree.pairs.size();
    if (!is_in_order || !is_there || tree.pairs[static_cast<size_t>(plane.pair)].shared_count > 2)
      reader.fail("a plane of no pair that can have one", kAdvice);
    certificates.planes.push_back(plane);
  }
  if (reader.remaining() != 0) reader.fail("extra bytes at the end", kAdvice);
  return certificates;
}

bool is_complete(const Certificates& certificates) {
  const auto is_known = [](float limit) { return limit >= 0; };
  return std::all_of(certificates.node_limits.begin(), certificates.node_limits.end(), is_known) &&
         std::all_of(certificates.pair_limits.begin(), certificates.pair_limits.end(), is_known);
}

Certificates read_certificates(const std::string& path, const Points& rest,
                               const std::vector<Triangle>& triangles) {
  Certificates certificates = parse_certificates(read_file(path), path, rest, triangles);
  if (!is_complete(certificates)) {
    throw InputError({path, 0, 0, {}}, "the computation of these certificates was stopped before it finished",
                     "Run the same command again; it continues where it stopped.");
  }
  return certificates;
}

}  // namespace marrow
