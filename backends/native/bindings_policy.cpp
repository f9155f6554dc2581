// class Policy: see policy.hpp.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "policy.hpp"

namespace lagbfs {
namespace {

Policy checked(Policy policy) {
  policy.validate();
  return policy;
}

Policy fixed(int arm) {
  Policy p;
  p.kind = Policy::kFixed, p.fixed = arm;
  return checked(p);
}

Policy beamer(double alpha, double beta, int push, int pull) {
  Policy p;
  p.kind = Policy::kBeamer, p.beamer = {alpha, beta, push, pull};
  return checked(p);
}

Policy tree(std::vector<int> feature, std::vector<double> threshold, std::vector<int> left, std::vector<int> right,
            std::vector<int> arm) {
  Policy p;
  p.kind = Policy::kTree;
  p.tree = {std::move(feature), std::move(left), std::move(right), std::move(arm), std::move(threshold)};
  return checked(p);
}

Policy costs(std::vector<int> arms, std::vector<int> engines, std::vector<double> coefficients,
             std::vector<double> moves, double cache, int ahead) {
  Policy p;
  p.kind = Policy::kCosts;
  const int count = engines.empty() ? 1 : 1 + std::max(0, *std::max_element(engines.begin(), engines.end()));
  p.costs = {std::move(arms), std::move(engines), std::move(coefficients), std::move(moves), cache, ahead, count};
  return checked(p);
}

Policy script(std::vector<int> arms) {
  Policy p;
  p.kind = Policy::kScript, p.script = std::move(arms);
  return checked(p);
}

}  // namespace

void bind_policy(nb::module_& m) {
  using namespace nb::literals;
  m.attr("ARMS") = names(kArms);
  nb::class_<Policy>(m, "Policy")
      .def_static("fixed", &fixed, "arm"_a)
      .def_static("beamer", &beamer, "alpha"_a = 15, "beta"_a = 18, "push"_a = int(kPushQueue),
                  "pull"_a = int(kPullBitmap))
      .def_static("tree", &tree, "feature"_a, "threshold"_a, "left"_a, "right"_a, "arm"_a)
      .def_static("costs", &costs, "arms"_a, "engines"_a, "coefficients"_a, "moves"_a, "cache"_a, "ahead"_a = 0)
      .def_static("script", &script, "arms"_a)
      .def("choose", [](const Policy& p, const Features& f) { return p.choose(checked(f)); }, "features"_a);
}

}  // namespace lagbfs
