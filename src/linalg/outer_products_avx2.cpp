#include "linalg/outer_products_kernel.h"

namespace marrow::outer_products {
namespace {

typedef double Values __attribute__((vector_size(32)));

}  // namespace

void add_avx2(const Arguments& a) { add<Values, 3, 4>(a); }

}  // namespace marrow::outer_products
