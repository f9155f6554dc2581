// classes Policy and Experience: see policy.hpp and experience.hpp.
#include <nanobind/stl/shared_ptr.h>
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
             std::vector<double> moves, double cache, int ahead, std::shared_ptr<Experience> experience,
             std::vector<int> rows, std::vector<double> alone, int threads) {
  Policy p;
  p.kind = Policy::kCosts;
  const int count = engines.empty() ? 1 : 1 + std::max(0, *std::max_element(engines.begin(), engines.end()));
  if (alone.empty()) alone.resize(coefficients.size());
  p.costs = {std::move(arms),
             std::move(engines),
             std::move(coefficients),
             std::move(moves),
             cache,
             ahead,
             count,
             std::move(alone),
             threads};
  p.learning = {std::move(experience), std::move(rows)};
  return checked(p);
}

Policy script(std::vector<int> arms) {
  Policy p;
  p.kind = Policy::kScript, p.script = std::move(arms);
  return checked(p);
}

nb::tuple decided(const Policy& policy, const Features& features, int threads) {
  const Choice c = policy.decide(checked(features), threads > 0 ? Shares(threads, policy.costs.threads) : Shares());
  return nb::make_tuple(c.arm, c.threads, c.row, c.at, c.expected, c.tried);
}

void need_row(const Experience& e, int row, int at) {
  if (row < 0 || row >= e.rows() || at < 0 || at >= e.places()) throw std::invalid_argument("experience: no such cell");
}

void bind_experience(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Experience>(m, "Experience")
      .def(nb::init<std::vector<int>, std::vector<int>, std::vector<double>, double>(), "arms"_a, "groups"_a,
           "priors"_a, "edges"_a)
      .def("place", &Experience::place, "frontier_edges"_a, "unvisited_edges"_a)
      .def(
          "correction",
          [](const Experience& e, int row, int at) { return need_row(e, row, at), e.correction(row, at); }, "row"_a,
          "at"_a)
      .def(
          "seen", [](const Experience& e, int row, int at) { return need_row(e, row, at), e.seen(row, at); }, "row"_a,
          "at"_a)
      .def(
          "mean", [](const Experience& e, int row) { return need_row(e, row, 0), e.mean(row); }, "row"_a)
      .def(
          "levels", [](const Experience& e, int row) { return need_row(e, row, 0), e.levels(row); }, "row"_a)
      .def(
          "weight", [](const Experience& e, int row) { return need_row(e, row, 0), e.seen(row); }, "row"_a)
      .def(
          "learn",
          [](Experience& e, int row, int at, double off, double nanoseconds) {
            need_row(e, row, at);
            if (!std::isfinite(off) || !(nanoseconds > 0 && std::isfinite(nanoseconds)))
              throw std::invalid_argument("experience: no such time");
            e.learn(row, at, off, nanoseconds);
          },
          "row"_a, "at"_a, "off"_a, "nanoseconds"_a)
      .def("spend", &Experience::spend, "nanoseconds"_a)
      .def("lose", &Experience::lose, "nanoseconds"_a)
      .def("end_search", &Experience::end_search, "team"_a = true)
      .def_prop_ro("budget", &Experience::budget)
      .def_prop_ro("searches", &Experience::searches);
}

}  // namespace

void bind_policy(nb::module_& m) {
  using namespace nb::literals;
  bind_experience(m);
  m.attr("ARMS") = names(kArms);
  nb::class_<Policy>(m, "Policy")
      .def_static("fixed", &fixed, "arm"_a)
      .def_static("beamer", &beamer, "alpha"_a = 15, "beta"_a = 18, "push"_a = int(kPushQueue),
                  "pull"_a = int(kPullBitmap))
      .def_static("tree", &tree, "feature"_a, "threshold"_a, "left"_a, "right"_a, "arm"_a)
      .def_static("costs", &costs, "arms"_a, "engines"_a, "coefficients"_a, "moves"_a, "cache"_a, "ahead"_a = 0,
                  "experience"_a = nb::none(), "rows"_a = std::vector<int>{}, "alone"_a = std::vector<double>{},
                  "threads"_a = 2)
      .def_static("script", &script, "arms"_a)
      .def(
          "choose", [](const Policy& p, const Features& f) { return p.choose(checked(f)); }, "features"_a)
      .def("decide", &decided, "features"_a, "threads"_a);
}

}  // namespace lagbfs
