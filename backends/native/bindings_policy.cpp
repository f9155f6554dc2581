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

Policy tree(std::vector<int> feature, std::vector<double> threshold, std::vector<int> left,
            std::vector<int> right, std::vector<int> arm) {
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

Features features(const std::vector<double>& f) {
  if (f.size() != Features::kCount) throw std::invalid_argument("features: expected one value for each of FEATURES");
  return {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12]};
}

std::vector<double> quantities(const std::vector<double>& f, double cache) {
  const Quantities q = quantities_of(features(f), cache);
  return {q.of, q.of + Quantities::kCount};
}

template <std::size_t N>
nb::object names(const char* const (&list)[N]) {
  nb::list out;
  for (const char* name : list) out.append(name);
  return nb::tuple(out);
}

}  // namespace

void bind_policy(nb::module_& m) {
  using namespace nb::literals;
  m.attr("ARMS") = names(kArms);
  m.attr("FEATURES") = names(kFeatures);
  m.attr("QUANTITIES") = names(kQuantities);
  m.def("quantities", &quantities, "features"_a, "cache"_a);
  nb::class_<Policy>(m, "Policy")
      .def_static("fixed", &fixed, "arm"_a)
      .def_static("beamer", &beamer, "alpha"_a = 15, "beta"_a = 18, "push"_a = int(kPushQueue),
                  "pull"_a = int(kPullBitmap))
      .def_static("tree", &tree, "feature"_a, "threshold"_a, "left"_a, "right"_a, "arm"_a)
      .def_static("costs", &costs, "arms"_a, "engines"_a, "coefficients"_a, "moves"_a, "cache"_a, "ahead"_a = 0)
      .def_static("script", &script, "arms"_a)
      .def("choose", [](const Policy& p, const std::vector<double>& f) { return p.choose(features(f)); },
           "features"_a);
}

}  // namespace lagbfs
