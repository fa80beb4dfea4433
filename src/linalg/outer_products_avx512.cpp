#include "linalg/outer_products_kernel.h"

namespace marrow::outer_products {
namespace {

typedef double Values __attribute__((vector_size(64)));

}  // namespace

void add_avx512(const Arguments& a) { add<Values, 3, 8>(a); }

}  // namespace marrow::outer_products
