// The COLUMNS section of MPS files, read in one pass over the bytes; and its entries, written.
//
// Understands ordinary lines only. On anything else (an unknown row, an odd number, a wrong count of
// fields, a repeated entry ...) it gives up, and the line-by-line reader in Python reads the section
// again and says what is wrong. So there is one home for every rule and every message.

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

namespace {

using View = std::string_view;

std::vector<View> views(const nb::list& items) {
  std::vector<View> found;
  found.reserve(items.size());
  for (nb::handle item : items) {
    nb::bytes word = nb::cast<nb::bytes>(item);
    found.emplace_back(word.c_str(), word.size());
  }
  return found;
}

// Open addressing over the names of the rows; the views point into the bytes objects of the caller.
class RowTable {
 public:
  explicit RowTable(std::vector<View> names) : names_(std::move(names)) {
    size_t size = 16;
    while (size < names_.size() * 2 + 2) size *= 2;
    slots_.assign(size, -1);
    mask_ = size - 1;
    for (size_t i = 0; i < names_.size(); ++i) {
      size_t at = hash(names_[i]) & mask_;
      while (slots_[at] >= 0) at = (at + 1) & mask_;
      slots_[at] = static_cast<int32_t>(i);
    }
  }

  int32_t find(View name) const {
    for (size_t at = hash(name) & mask_; slots_[at] >= 0; at = (at + 1) & mask_) {
      if (names_[slots_[at]] == name) return slots_[at];
    }
    return -1;
  }

  size_t size() const { return names_.size(); }

 private:
  static uint64_t hash(View text) {
    uint64_t h = 0x9E3779B97F4A7C15ull ^ (text.size() * 0xD6E8FEB86659FD93ull);
    const char* p = text.data();
    size_t left = text.size();
    while (left >= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      h = mix(h ^ word);
      p += 8;
      left -= 8;
    }
    uint64_t word = 0;
    if (left) std::memcpy(&word, p, left);
    return mix(h ^ word);
  }

  static uint64_t mix(uint64_t x) {
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 32;
    x *= 0x94D049BB133111EBull;
    return x ^ (x >> 29);
  }

  std::vector<View> names_;
  std::vector<int32_t> slots_;
  size_t mask_ = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number from the first to the last character; false leaves the judgement to Python.
// Up to 2^53 and 10^22 one exact division or multiplication is correctly rounded (Clinger 1990);
// everything else goes through Python's own conversion.
bool parse_number(View text, double& value) {
  static const double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (text.size() > 400) return false;
  const char* p = text.data();
  const char* end = p + text.size();
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  uint64_t mantissa = 0;
  int digits = 0, fraction = 0, significant = 0;
  auto take = [&](char c) {
    ++digits;
    if (mantissa || c != '0') ++significant;
    if (significant <= 18) mantissa = mantissa * 10 + static_cast<uint64_t>(c - '0');
  };
  while (p < end && is_digit(*p)) take(*p++);
  if (p < end && *p == '.') {
    ++p;
    while (p < end && is_digit(*p)) {
      take(*p++);
      ++fraction;
    }
  }
  if (!digits) return false;
  int exponent = 0;
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool minus = false;
    if (p < end && (*p == '+' || *p == '-')) minus = *p++ == '-';
    if (p == end) return false;
    while (p < end && is_digit(*p)) {
      exponent = exponent * 10 + (*p++ - '0');
      if (exponent > 9999) return false;
    }
    if (minus) exponent = -exponent;
  }
  if (p != end) return false;
  if (!mantissa && significant == 0) {
    value = 0.0;
    return true;
  }
  exponent -= fraction;
  if (significant <= 18 && mantissa <= (1ull << 53) && exponent >= -22 && exponent <= 22) {
    double size = static_cast<double>(mantissa);
    size = exponent < 0 ? size / kPowers[-exponent] : size * kPowers[exponent];
    value = negative ? -size : size;
    return true;
  }
  std::string copy(text);
  value = PyOS_string_to_double(copy.c_str(), nullptr, nullptr);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  return value != 0.0 && value - value == 0.0;
}

template <class T>
nb::bytes as_bytes(const std::vector<T>& items) {
  return nb::bytes(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
}

// (position, lines, in_integers, names, integer, indptr, rows, values), or None
nb::object scan_columns(nb::bytes text, size_t start, nb::list row_names, size_t line_bytes,
                        size_t name_bytes, size_t items) {
  const RowTable table(views(row_names));
  std::vector<int32_t> last_column(table.size(), -1);

  const char* const base = text.c_str();
  const char* const end = base + text.size();
  const char* p = base + start;
  size_t lines = 0;
  bool in_integers = false;
  View current;
  int32_t column = -1;
  nb::list found;
  std::vector<uint8_t> integer;
  std::vector<int64_t> indptr;
  std::vector<int32_t> rows;
  std::vector<double> values;

  while (p < end) {
    const char first = *p;
    const char* const line = p;
    if (first == '*') {
      static const View kMark = "*g2milp ";
      if (View(p, static_cast<size_t>(end - p)).substr(0, kMark.size()) == kMark) return nb::none();
      const void* newline = std::memchr(p, '\n', static_cast<size_t>(end - p));
      p = newline ? static_cast<const char*>(newline) + 1 : end;
      if (static_cast<size_t>(p - line) > line_bytes) return nb::none();
      ++lines;
      continue;
    }
    if (first != ' ' && first != '\t' && first != '\n' && first != '\r') break;

    View fields[5];
    int count = 0;
    for (;;) {
      while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
      if (p == end || *p == '\n') break;
      const char* word = p;
      while (p < end && *p != ' ' && *p != '\t' && *p != '\n' && *p != '\r') ++p;
      if (count == 5 || (count && *word == '$')) return nb::none();
      fields[count++] = View(word, static_cast<size_t>(p - word));
    }
    if (static_cast<size_t>(p - line) > line_bytes) return nb::none();
    if (p < end) ++p;
    ++lines;
    if (!count) continue;
    if (count != 3 && count != 5) return nb::none();

    if (count == 3 && (fields[1] == "'MARKER'" || fields[1] == "\"MARKER\"")) {
      if (fields[2] == "'INTORG'" && !in_integers) {
        in_integers = true;
      } else if (fields[2] == "'INTEND'" && in_integers) {
        in_integers = false;
      } else {
        return nb::none();
      }
      current = View();
      continue;
    }
    if (fields[0] != current) {
      if (fields[0].size() > name_bytes || integer.size() >= items) return nb::none();
      current = fields[0];
      ++column;
      found.append(nb::bytes(current.data(), current.size()));
      integer.push_back(in_integers);
      indptr.push_back(static_cast<int64_t>(rows.size()));
    }
    for (int k = 1; k < count; k += 2) {
      const int32_t row = table.find(fields[k]);
      double value;
      if (row < 0 || last_column[row] == column || !parse_number(fields[k + 1], value)) {
        return nb::none();
      }
      last_column[row] = column;
      rows.push_back(row);
      values.push_back(value);
    }
    if (rows.size() > items) return nb::none();
  }
  indptr.push_back(static_cast<int64_t>(rows.size()));
  if (in_integers) return nb::none();
  return nb::make_tuple(static_cast<size_t>(p - base), lines, found, as_bytes(integer),
                        as_bytes(indptr), as_bytes(rows), as_bytes(values));
}

// Whether the text has control characters other than tab, line feed and carriage return.
bool has_control(nb::bytes text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.c_str());
  const size_t size = text.size();
  for (size_t start = 0; start < size; start += 4096) {
    const size_t stop = start + 4096 < size ? start + 4096 : size;
    unsigned found = 0;
    for (size_t i = start; i < stop; ++i) {
      const unsigned char c = p[i];
      found |= (c < 32) & (c != 9) & (c != 10) & (c != 13);
      found |= c == 127;
    }
    if (found) return true;
  }
  return false;
}

// Whether every carriage return stands before a line feed.
bool returns_are_paired(nb::bytes text) {
  const char* p = text.c_str();
  const char* const end = p + text.size();
  while ((p = static_cast<const char*>(std::memchr(p, '\r', static_cast<size_t>(end - p))))) {
    if (++p == end || *p != '\n') return false;
  }
  return true;
}

// One line " column row number\n" for each entry; the texts of rows and numbers are looked up.
nb::bytes join_entries(nb::list column_names, nb::list row_names, nb::list numbers, nb::bytes columns,
                       nb::bytes rows, nb::bytes which) {
  const std::vector<View> first = views(column_names);
  const std::vector<View> second = views(row_names);
  const std::vector<View> third = views(numbers);
  const size_t count = columns.size() / sizeof(int32_t);
  if (rows.size() != columns.size() || which.size() != columns.size()) {
    throw nb::value_error("columns, rows and numbers must be equally long");
  }
  const auto* column = reinterpret_cast<const int32_t*>(columns.c_str());
  const auto* row = reinterpret_cast<const int32_t*>(rows.c_str());
  const auto* number = reinterpret_cast<const int32_t*>(which.c_str());
  auto at = [](const std::vector<View>& words, int32_t i) {
    if (i < 0 || static_cast<size_t>(i) >= words.size()) throw nb::index_error("no such word");
    return words[static_cast<size_t>(i)];
  };
  std::string text;
  text.reserve(count * 32);
  for (size_t i = 0; i < count; ++i) {
    text += ' ';
    text += at(first, column[i]);
    text += ' ';
    text += at(second, row[i]);
    text += ' ';
    text += at(third, number[i]);
    text += '\n';
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

NB_MODULE(_text, m) {
  m.doc() = "Native scanning and writing of MPS text.";
  m.def("scan_columns", &scan_columns, nb::arg("text"), nb::arg("start"), nb::arg("row_names"),
        nb::arg("line_bytes"), nb::arg("name_bytes"), nb::arg("items"));
  m.def("is_clean", [](nb::bytes text) { return !has_control(text) && returns_are_paired(text); },
        nb::arg("text"));
  m.def("join_entries", &join_entries, nb::arg("column_names"), nb::arg("row_names"),
        nb::arg("numbers"), nb::arg("columns"), nb::arg("rows"), nb::arg("which"));
}
