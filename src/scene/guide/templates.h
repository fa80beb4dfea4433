// Scenes to start from: what `marrow new` writes.
#pragma once

#include <string>
#include <vector>

namespace marrow {

struct SceneTemplate {
  const char* name;
  const char* about;  // one line
  const char* text;   // JSON with comments; NAME stands for the scene's name, MESH for a mesh file
};

// In the order in which they are listed.
const std::vector<SceneTemplate>& list_templates();

// The text of a template with name and mesh put in; mesh: for the template "mesh", empty otherwise.
std::string fill_template(const SceneTemplate& chosen, const std::string& name, const std::string& mesh);

}  // namespace marrow
