// class Policy: see policy.hpp.
#include <nanobind/stl/vector.h>

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
  p.kind = Policy::kFixed, p.push = p.pull = arm;
  return checked(p);
}

Policy beamer(double alpha, double beta, int push, int pull) {
  Policy p;
  p.kind = Policy::kBeamer, p.alpha = alpha, p.beta = beta, p.push = push, p.pull = pull;
  return checked(p);
}

Policy cost(int push, int pull) {
  Policy p;
  p.kind = Policy::kCost, p.push = push, p.pull = pull;
  return checked(p);
}

Policy tree(std::vector<int> feature, std::vector<double> threshold, std::vector<int> left,
            std::vector<int> right, std::vector<int> arm) {
  Policy p;
  p.kind = Policy::kTree;
  p.feature = std::move(feature), p.threshold = std::move(threshold);
  p.left = std::move(left), p.right = std::move(right), p.arm = std::move(arm);
  return checked(p);
}

Policy linear(std::vector<int> arms, std::vector<double> coefficients) {
  Policy p;
  p.kind = Policy::kLinear;
  p.arms = std::move(arms), p.coefficients = std::move(coefficients);
  return checked(p);
}

int choose(const Policy& policy, const std::vector<double>& f) {
  if (f.size() != Features::kCount) throw std::invalid_argument("features: expected 9");
  return policy.choose({f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]});
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
  nb::class_<Policy>(m, "Policy")
      .def_static("fixed", &fixed, "arm"_a)
      .def_static("beamer", &beamer, "alpha"_a = 15, "beta"_a = 18, "push"_a = int(kPushQueue),
                  "pull"_a = int(kPullBitmap))
      .def_static("cost", &cost, "push"_a = int(kPushQueue), "pull"_a = int(kPullBitmap))
      .def_static("tree", &tree, "feature"_a, "threshold"_a, "left"_a, "right"_a, "arm"_a)
      .def_static("linear", &linear, "arms"_a, "coefficients"_a)
      .def("choose", &choose, "features"_a);
}

}  // namespace lagbfs
