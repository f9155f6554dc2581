// Numbers out of text: edge lists and rows of integers.
//
// Only ordinary lines are read here. At the first line that is anything else (a name, a sign before an
// index, a column too many, an index out of range) the parser stops and says where that line begins: the
// caller, whose Python code defines what a line may be, then reads or refuses it. So these functions need
// no error messages, and must never accept what that code would not, nor read it as other numbers.
//
// Text need not end with a newline, and is not terminated by 0: nothing is read at or beyond `end`.
#pragma once

#include <locale.h>

#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "memory.hpp"
#include "signals.hpp"

namespace lagbfs {

struct Text {
  const char* at;
  const char* end;

  bool done() const { return at == end; }
  bool is(char c) const { return at < end && *at == c; }
  bool digit() const { return at < end && unsigned(*at - '0') < 10; }
  void skip_blanks() {
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
  }
  const char* line_end() const {
    const void* found = at < end ? std::memchr(at, '\n', std::size_t(end - at)) : nullptr;
    return found ? static_cast<const char*>(found) : end;
  }
  void skip_line() {
    at = line_end();
    if (at < end) ++at;
  }
  // Past the end of the line, if nothing but blanks is before it.
  bool finish_line() {
    skip_blanks();
    const char* p = at;
    if (p < end && *p == '\r') ++p;
    if (p < end && *p != '\n') return false;
    at = p < end ? p + 1 : p;
    return true;
  }
  // Past blanks with at most one comma among them; false if there is nothing to skip.
  bool separator() {
    const char* const from = at;
    skip_blanks();
    if (is(',')) ++at, skip_blanks();
    return at > from;
  }
  // At most 18 digits, which always fit.
  bool integer(std::int64_t& value) {
    const char* const from = at;
    std::int64_t v = 0;
    while (digit() && at - from < 18) v = 10 * v + (*at++ - '0');
    value = v;
    return at > from && !digit();
  }
};

// A finite number: whole if it was written without a point or exponent, in at most 19 digits, and fits.
struct Number {
  bool integral;
  std::int64_t whole;
  double value;  // of one that is not whole
};

class Decimal {
 public:
  Decimal() : locale_(newlocale(LC_ALL_MASK, "C", locale_t(0))) {}
  ~Decimal() {
    if (locale_) freelocale(locale_);
  }
  Decimal(const Decimal&) = delete;
  Decimal& operator=(const Decimal&) = delete;

  bool read(Text& text, Number& number) {
    const char* const from = text.at;
    const bool negative = text.is('-');
    if (negative || text.is('+')) ++text.at;
    std::uint64_t mantissa = 0;
    int digits = 0, point = 0;
    scan(text, mantissa, digits);
    number.integral = true;
    if (text.is('.')) {
      number.integral = false;
      ++text.at;
      const int before = digits;
      scan(text, mantissa, digits);
      point = digits - before;
    }
    if (digits == 0) return false;
    const bool exponent = text.is('e') || text.is('E') || text.is('d') || text.is('D');  // d is Fortran's
    if (exponent) {
      number.integral = false;
      if (!skip_exponent(text)) return false;
    }
    if (text.at - from > kLongest) return false;
    number.integral &= digits <= kDigits && mantissa <= (std::uint64_t(1) << 63) - !negative;
    if (number.integral) return number.whole = std::int64_t(negative ? 0 - mantissa : mantissa), true;
    // Both operands are exact here, so that the one division rounds correctly.
    if (!exponent && digits <= 15 && point <= 22) {
      number.value = double(mantissa) / kPowers[point];
      if (negative) number.value = -number.value;
      return true;
    }
    return convert(from, text.at, number.value);
  }

 private:
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

  static constexpr int kDigits = 19;     // always fit in 64 bits without a sign
  static constexpr int kLongest = 1000;  // characters

  static void scan(Text& text, std::uint64_t& mantissa, int& digits) {
    for (; text.digit() && digits < kLongest; ++text.at, ++digits)
      if (digits < kDigits) mantissa = 10 * mantissa + std::uint64_t(*text.at - '0');
  }

  static bool skip_exponent(Text& text) {
    ++text.at;
    if (text.is('+') || text.is('-')) ++text.at;
    if (!text.digit()) return false;
    while (text.digit()) ++text.at;
    return true;
  }

  bool convert(const char* from, const char* to, double& value) {
    if (!locale_) return false;
    std::string copy(from, to);
    for (char& c : copy)
      if (c == 'd' || c == 'D') c = 'e';
    char* stop = nullptr;
    value = strtod_l(copy.c_str(), &stop, locale_);
    return stop == copy.c_str() + copy.size() && value - value == 0;
  }

  locale_t locale_;
};

struct EdgeFormat {
  char lead;           // each line starts with it; 0: with the first index
  bool weighted;       // a third column of numbers
  bool whole;          // which are whole
  bool more;           // further columns may follow, and are ignored
  std::int64_t base;   // the least index, subtracted
  std::int64_t limit;  // indices are less than this, once base is subtracted
};

struct ParsedEdges {
  Buffer<std::int64_t> src, dst;
  Buffer<std::int64_t> whole;  // the weights as long as all are whole,
  Buffer<double> weights;      // and from the first on that is not
  std::int64_t size = 0;
  std::int64_t stopped = -1;  // where the first line begins that was not understood

  void add_weight(const Number& number) {
    if (!weights && number.integral) {
      whole[size] = number.whole;
      return;
    }
    if (!weights) {
      weights = Buffer<double>(whole.size());
      for (std::int64_t k = 0; k < size; ++k) weights[k] = double(whole[k]);
    }
    weights[size] = number.integral ? double(number.whole) : number.value;
  }
};

inline std::int64_t count_lines(const char* begin, const char* end) {
  std::int64_t lines = 1;
  for (const char* p = begin; p < end; ++p) lines += *p == '\n';
  return lines;
}

// Comments are lines that start with # % or //; if each edge has a lead, with the words c, or n (of a node).
inline bool is_comment(const Text& text, char lead) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  if (lead) return (text.is('c') || text.is('n')) && (text.at + 1 == text.end || blank(text.at[1]));
  return text.is('#') || text.is('%') || (text.is('/') && text.at + 1 < text.end && text.at[1] == '/');
}

inline bool parse_index(Text& text, const EdgeFormat& format, std::int64_t& v) {
  if (!text.integer(v)) return false;
  v -= format.base;
  return v >= 0 && v < format.limit;
}

inline bool parse_edge(Text& text, const EdgeFormat& format, Decimal& decimal, ParsedEdges& edges) {
  const std::int64_t k = edges.size;
  if (format.lead) {
    if (!text.is(format.lead)) return false;
    const char* const lead = text.at++;
    text.skip_blanks();
    if (text.at == lead + 1) return false;
  }
  if (!parse_index(text, format, edges.src[k]) || !text.separator() || !parse_index(text, format, edges.dst[k]))
    return false;
  if (format.weighted) {
    Number number{};
    if (!text.separator() || !decimal.read(text, number) || (format.whole && !number.integral)) return false;
    edges.add_weight(number);
  }
  ++edges.size;
  if (text.finish_line()) return true;
  const char before = text.at[-1];
  if (format.more && (before == ' ' || before == '\t' || text.is(','))) return text.skip_line(), true;
  return --edges.size, false;
}

inline ParsedEdges parse_edges(const char* begin, const char* end, const EdgeFormat& format, bool (*ask)()) {
  const std::size_t lines = std::size_t(count_lines(begin, end));
  ParsedEdges edges;
  edges.src = Buffer<std::int64_t>(lines);
  edges.dst = Buffer<std::int64_t>(lines);
  if (format.weighted) edges.whole = Buffer<std::int64_t>(lines);
  Decimal decimal;
  Signals signals(ask);
  Text text{begin, end};
  for (std::int64_t line = 0; !text.done(); ++line) {
    if (line % kAskLines == 0 && signals.tick(0)) signals.check();
    const char* const start = text.at;
    if (text.finish_line()) continue;
    if (is_comment(text, format.lead)) {
      text.skip_line();
    } else if (!parse_edge(text, format, decimal, edges)) {
      edges.stopped = start - begin;
      return edges;
    }
  }
  return edges;
}

struct ParsedRows {
  Buffer<std::int64_t> values, counts;  // of all rows; how many of them in each
  std::int64_t size = 0, rows = 0;
  std::int64_t stopped = -1;
};

// Rows of integers, one row a line, an empty line an empty row; lines that start with % are comments.
inline ParsedRows parse_rows(const char* begin, const char* end, bool (*ask)()) {
  ParsedRows parsed;
  parsed.values = Buffer<std::int64_t>(std::size_t(end - begin) / 2 + 1);
  parsed.counts = Buffer<std::int64_t>(std::size_t(count_lines(begin, end)));
  Signals signals(ask);
  Text text{begin, end};
  for (std::int64_t line = 0; !text.done(); ++line) {
    if (line % kAskLines == 0 && signals.tick(0)) signals.check();
    const char* const start = text.at;
    if (text.is('%')) {
      text.skip_line();
      continue;
    }
    const std::int64_t first = parsed.size;
    while (!text.finish_line()) {
      const bool apart = parsed.size == first || text.at[-1] == ' ' || text.at[-1] == '\t';
      if (!apart || !text.integer(parsed.values[parsed.size])) {
        parsed.size = first;
        parsed.stopped = start - begin;
        return parsed;
      }
      ++parsed.size;
    }
    parsed.counts[parsed.rows++] = parsed.size - first;
  }
  return parsed;
}

}  // namespace lagbfs
