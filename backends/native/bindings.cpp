#include "bindings.hpp"

#include "recycle.hpp"
#include "team.hpp"

NB_MODULE(_kernels, m) {
  using namespace lagbfs;
  m.doc() = "The kernels of the native engine. The annotations are in _kernels.pyi.";
  m.def("max_threads", [] { return team_size(0); },
        "The team size that threads=0 stands for; OMP_NUM_THREADS and threadpoolctl set it.");
  m.def("kept_bytes", [] { return Recycler::instance().bytes(); },
        "Memory of released results kept for the next ones.");
  bind_policy(m);
  bind_graph(m);
  bind_build(m);
  bind_product(m);
}
