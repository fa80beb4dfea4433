// Certificates for the bodies of a scene that search themselves with them (docs/models/self_collision.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scene/build/build.h"

namespace marrow {

// Adds them to the contact model, from the store of earlier results or computed now; returns what a person
// should know of it, as sentences without a full stop; announce is told before long work. Throws InputError
// where a body is to be certified and cannot be. Results of the simulation are the same with and without.
std::vector<std::string> add_certificates(const Scene& scene, const std::string& scene_path,
                                          BuiltScene& built,
                                          const std::function<void(const std::string&)>& announce = {});

}  // namespace marrow
