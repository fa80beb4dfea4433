// A field while its value is read.
#pragma once

#include <string>

#include "core/options.h"
#include "scene/json/json.h"

namespace marrow {

struct NamedField {
  const char* name;
  const Field& field;
};

// "density [kg/m³]: Mass per volume at rest."
std::string explain(const NamedField& named);

// Refuses a node of another kind; wanted: what the field takes, in words.
void check_kind(const JsonNode& node, const NamedField& named, JsonNode::Kind kind, const char* wanted);

}  // namespace marrow
