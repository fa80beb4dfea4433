// Where the public names live. Inside the library other types have these names, so there they are not inline.
#pragma once

#ifdef MARROW_BUILDS_ITSELF
#define MARROW_PUBLIC_NAMESPACE namespace api
#else
#define MARROW_PUBLIC_NAMESPACE inline namespace api
#endif
