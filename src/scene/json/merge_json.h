// JSON texts combined, as tools with a key for a common file do.
#pragma once

#include <string>

namespace marrow {

// The base with the members of the other object in place of its own, member by member (RFC 7396): lists are
// replaced as wholes, null removes. Both must be valid.
std::string merge_json(const std::string& base, const std::string& over);

// The text after the operations of a patch (RFC 6902); file: for messages. Throws InputError.
std::string patch_json(const std::string& text, const std::string& operations, const std::string& file);

// The text without a member of its outermost object.
std::string drop_json_member(const std::string& text, const std::string& key);

// The text of a member of the outermost object; empty if there is none.
std::string json_member(const std::string& text, const std::string& key);

}  // namespace marrow
