// Numbers that glTF gives these meanings.
#pragma once

namespace marrow {

inline constexpr int kUnsignedInt = 5125, kFloat = 5126;           // types of components
inline constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;  // targets of buffer views

}  // namespace marrow
