// Deformations of medial bodies by formula: nodes of handles that bend, twist, wave, or go wild.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "preprocess/medial_body/medial_body.h"

namespace marrow {

struct MedialSolid {
  std::string name;
  MedialRest rest;
};

// Prepares a surface without the store. handle: of all handles.
MedialSolid prepare_solid(const std::string& name, const Mesh& surface, int handles, HandleKind handle);

enum class Deformation { Rigid, Stretch, Bend, Twist, Wave, Fold, Wild };
inline constexpr std::array<Deformation, 7> kDeformations = {
    Deformation::Rigid, Deformation::Stretch, Deformation::Bend, Deformation::Twist,
    Deformation::Wave,  Deformation::Fold,    Deformation::Wild};
const char* name_of(Deformation deformation);

// The nodes of a body, deformed. t from 0 (at rest) to 1 (a lot); seed: axes, phases and noise.
VecX deform_nodes(const MedialRest& rest, Deformation deformation, double t, unsigned seed);

// The nodes as they are at rest.
VecX rest_nodes(const MedialRest& rest);

}  // namespace marrow
