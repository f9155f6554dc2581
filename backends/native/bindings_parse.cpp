// parse_edges and parse_rows: see parse.hpp.
#include "bindings.hpp"
#include "parse.hpp"

namespace lagbfs {
namespace {

nb::object edges_of(nb::bytes text, const EdgeFormat& format) {
  const char* const begin = text.c_str();
  const char* const end = begin + text.size();
  ParsedEdges edges = without_gil([&] { return parse_edges(begin, end, format, ask_python); });
  const std::size_t size = std::size_t(edges.size);
  nb::object weights = nb::none();
  if (edges.weights) weights = to_numpy(std::move(edges.weights), size);
  else if (format.weighted) weights = to_numpy(std::move(edges.whole), size);
  nb::object src = to_numpy(std::move(edges.src), size);
  nb::object dst = to_numpy(std::move(edges.dst), size);
  return nb::make_tuple(src, dst, weights, edges.stopped);
}

nb::object rows_of(nb::bytes text) {
  const char* const begin = text.c_str();
  const char* const end = begin + text.size();
  ParsedRows parsed = without_gil([&] { return parse_rows(begin, end, ask_python); });
  nb::object values = to_numpy(std::move(parsed.values), std::size_t(parsed.size));
  nb::object counts = to_numpy(std::move(parsed.counts), std::size_t(parsed.rows));
  return nb::make_tuple(values, counts, parsed.stopped);
}

// The lead is a string of at most one character.
nb::object edges_with(nb::bytes text, nb::bytes lead, bool weighted, bool whole, bool more, std::int64_t base,
                      std::int64_t limit) {
  if (lead.size() > 1) throw std::invalid_argument("lead: expected at most one character");
  if (base < 0 || limit < 0) throw std::invalid_argument("base and limit must not be negative");
  return edges_of(text, {lead.size() ? *lead.c_str() : '\0', weighted, whole, more, base, limit});
}

}  // namespace

void bind_parse(nb::module_& m) {
  using namespace nb::literals;
  m.def("parse_edges", &edges_with, "text"_a, "lead"_a, "weighted"_a, "whole"_a, "more"_a, "base"_a, "limit"_a);
  m.def("parse_rows", &rows_of, "text"_a);
}

}  // namespace lagbfs
