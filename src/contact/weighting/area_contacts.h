// The contacts of a configuration with weights by area: the multiplicity of a contact is a volume [m³], so
// that κ is a stiffness in Pa. It may be negative where a vertex is nearer to two triangles than to their
// common edge.
//
// The vertex whose area is integrated is always the first of a contact of a vertex.
#pragma once

#include "contact/contact_set.h"
#include "contact/weighting/area_weights.h"

namespace marrow {

// candidates must include every pair closer than d_hat, and all vertices with all wires.
std::vector<Contact> build_area_contacts(const ContactPoints& points, const PairStencils& candidates,
                                         double d_hat, const AreaWeights& weights);

}  // namespace marrow
