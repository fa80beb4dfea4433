// Just enough XML to read back the files we write: the tags, one after the other, and their attributes.
#pragma once

#include <string>
#include <string_view>

namespace marrow {

struct XmlTag {
  std::string name;            // "DataArray"; a closing tag begins with a slash
  std::string_view inside;     // what stands between name and >
  std::string_view following;  // the text up to the next tag
};

// Takes the next tag from the front of text. Answers false if there is none.
bool take_tag(std::string_view& text, XmlTag& tag);

// The value of an attribute, entities resolved; empty if it is missing.
std::string attribute(const XmlTag& tag, std::string_view name);

// Text for use inside an attribute.
std::string escape_xml(std::string_view text);

}  // namespace marrow
