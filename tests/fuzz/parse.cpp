// The parsers of parse.hpp against reading a line at a time, as lagbfs/io/parsing.py defines what a line may be.
//
// A parser may stop at any line that is not ordinary, and must have read all before it as the definition does.
#include "parse.hpp"

#include <cmath>
#include <optional>

#include "input.hpp"

enum class Line { kNothing, kEdge, kBad };

struct Edge {
  std::int64_t src = 0, dst = 0;
  Number weight{true, 1, 0};
};

static std::string stripped(const std::string& text, const char* blanks) {
  const std::size_t from = text.find_first_not_of(blanks);
  return from == text.npos ? "" : text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

// Columns are separated by blanks or, if these do, by a comma and any blanks around it.
static std::vector<std::string> fields(const std::string& line, bool commas = true) {
  std::vector<std::string> columns{""};
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t next = std::min(line.find_first_not_of(" \t", i), line.size());
    const bool comma = commas && next < line.size() && line[next] == ',';
    if (next == i && !comma) columns.back() += line[i++];
    else columns.emplace_back(), i = comma ? std::min(line.find_first_not_of(" \t", next + 1), line.size()) : next;
  }
  return columns;
}

static bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

static std::size_t skip_digits(const std::string& text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size());
}

static std::optional<std::int64_t> index_of(const std::string& token, const EdgeFormat& format) {
  if (!all_digits(token)) return {};
  const std::string digits = token.substr(std::min(token.find_first_not_of('0'), token.size() - 1));
  if (digits.size() > 18) return {};  // beyond every limit here
  const std::int64_t v = std::stoll(digits) - format.base;
  if (v < 0 || v >= format.limit) return {};
  return v;
}

// [+-] digits [. digits] [eEdD [+-] digits], at most 1000 characters, finite; inf and nan are left to Python.
static std::optional<Number> number_of(const std::string& token) {
  const std::size_t sign = !token.empty() && std::strchr("+-", token[0]) ? 1 : 0;
  const std::size_t whole = skip_digits(token, sign);
  const bool point = whole < token.size() && token[whole] == '.';
  std::size_t at = point ? skip_digits(token, whole + 1) : whole;
  if (token.size() > 1000 || at == sign + point) return {};
  std::string text = token;
  if (at < token.size()) {
    if (!std::strchr("eEdD", token[at]) || token[at] == '\0') return {};
    text[at++] = 'e';
    if (at < token.size() && (token[at] == '+' || token[at] == '-')) ++at;
    if (!all_digits(token.substr(at))) return {};
  }
  const std::string digits = token.substr(sign);
  if (all_digits(digits) && digits.size() <= 19) {
    const unsigned __int128 limit = (unsigned __int128)(1) << 63;
    unsigned __int128 v = 0;
    for (char c : digits) v = 10 * v + unsigned(c - '0');
    if (token[0] == '-' ? v <= limit : v < limit) return Number{true, std::int64_t(token[0] == '-' ? 0 - v : v), 0};
  }
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return {};
  return Number{false, 0, value};
}

static bool is_nothing(const std::string& line, char lead) {
  if (line.empty()) return true;
  if (lead)
    return (line[0] == 'c' || line[0] == 'n') &&
           (line.size() == 1 || std::string(" \t\r").find(line[1]) != std::string::npos);
  return line[0] == '#' || line[0] == '%' || line.substr(0, 2) == "//";
}

static Line read_line(const std::string& text, const EdgeFormat& format, Edge& edge) {
  const std::string line = stripped(text, " \t\r");
  if (is_nothing(line, format.lead)) return Line::kNothing;
  std::vector<std::string> columns = fields(line);
  if (format.lead) {
    if (columns[0] != std::string(1, format.lead)) return Line::kBad;
    columns.erase(columns.begin());
  }
  const std::size_t expected = format.weighted ? 3 : 2;
  if (columns.size() < expected || (columns.size() > expected && !format.more)) return Line::kBad;
  const auto src = index_of(columns[0], format), dst = index_of(columns[1], format);
  if (!src || !dst) return Line::kBad;
  edge.src = *src, edge.dst = *dst;
  if (!format.weighted) return Line::kEdge;
  const auto weight = number_of(columns[2]);
  if (!weight || (format.whole && !weight->integral)) return Line::kBad;
  edge.weight = *weight;
  return Line::kEdge;
}

// Lines without their ends, and where each begins; what follows the last newline is one unless it is empty.
struct Lines {
  std::vector<std::string> texts;
  std::vector<std::int64_t> begins;
  explicit Lines(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      texts.push_back(text.substr(at, end - at)), begins.push_back(std::int64_t(at));
      at = end + 1;
    }
  }
};

// Digits, points, exponents and signs between single blanks, no index of more than 18 digits, an ordinary end.
static bool ordinary(const std::string& line, char lead) {
  const std::string columns = lead ? line.substr(std::min<std::size_t>(line.size(), 2)) : line;
  if (lead && line.substr(0, 2) != std::string(1, lead) + ' ') return false;
  if (columns.find_first_not_of("0123456789.eEdD+- ") != columns.npos) return false;
  for (const std::string& column : fields(columns))
    if (column.empty() || (column.size() > 18 && all_digits(column))) return false;
  return true;
}

static bool same_weight(const ParsedEdges& found, std::int64_t k, const Number& want) {
  if (!found.weights) return want.integral && found.whole[k] == want.whole;
  const double value = want.integral ? double(want.whole) : want.value;
  return std::memcmp(&found.weights[k], &value, sizeof value) == 0;
}

static void check_edges_of(const char* begin, const char* end, const Lines& lines, const EdgeFormat& format) {
  const ParsedEdges found = parse_edges(begin, end, format, nullptr);
  std::int64_t k = 0;
  for (std::size_t i = 0; i < lines.texts.size(); ++i) {
    Edge edge;
    const Line line = read_line(lines.texts[i], format, edge);
    if (found.stopped == lines.begins[i]) {
      CHECK(line == Line::kBad || !ordinary(lines.texts[i], format.lead));
      CHECK(found.size == k);
      return;
    }
    CHECK(line != Line::kBad);
    if (line == Line::kNothing) continue;
    CHECK(k < found.size && found.src[k] == edge.src && found.dst[k] == edge.dst);
    if (format.weighted) CHECK(same_weight(found, k, edge.weight));
    ++k;
  }
  CHECK(found.stopped == -1 && found.size == k);
}

static std::vector<std::string> row_of(const std::string& text) {
  const std::string line = stripped("." + text, " \t\r").substr(1);  // of the end alone,
  const std::string row = stripped(line, " \t");                     // and then of both
  return row.empty() ? std::vector<std::string>{} : fields(row, false);
}

static void check_rows_of(const char* begin, const char* end, const Lines& lines) {
  const ParsedRows found = parse_rows(begin, end, nullptr);
  std::int64_t rows = 0, size = 0;
  for (std::size_t i = 0; i < lines.texts.size(); ++i) {
    const std::string& line = lines.texts[i];
    const bool comment = line.substr(0, 1) == "%";
    const std::vector<std::string> tokens = row_of(line);
    const bool good =
        std::all_of(tokens.begin(), tokens.end(), [](const auto& t) { return all_digits(t) && t.size() <= 18; });
    if (found.stopped == lines.begins[i]) {
      CHECK(!comment && (!good || line.find('\r') != line.npos));
      CHECK(found.rows == rows && found.size == size);
      return;
    }
    if (comment) continue;
    CHECK(good && rows < found.rows && found.counts[rows] == std::int64_t(tokens.size()));
    for (const std::string& token : tokens) CHECK(size < found.size && found.values[size++] == std::stoll(token));
    ++rows;
  }
  CHECK(found.stopped == -1 && found.rows == rows && found.size == size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::int64_t limits[] = {1000, 1, 0, std::int64_t(1) << 40};
  const char leads[] = {'\0', 'a', 'e'};
  const EdgeFormat format{leads[input.below(3)], input.flag(),   input.flag(),
                          input.flag(),          input.below(2), limits[input.below(4)]};
  const std::vector<char> text = input.rest();  // just so long: the sanitizer knows its end
  const Lines lines(std::string(text.begin(), text.end()));
  check_edges_of(text.data(), text.data() + text.size(), lines, format);
  check_rows_of(text.data(), text.data() + text.size(), lines);
  return 0;
}
