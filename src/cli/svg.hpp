// SPDX-License-Identifier: Apache-2.0
/// Just enough SVG for drawings with type and bars.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/json.hpp"

namespace loops::cli {

/// Text as it may stand in SVG and HTML. What no XML may hold becomes U+FFFD: bytes that are no
/// UTF-8, and control characters but tabs and ends of lines.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t length = 1; !text.empty(); text.remove_prefix(length)) {
    const char c = text.front();
    length = character_at(text);
    const std::string_view whole = text.substr(0, length);
    const bool control =
        static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    if (length == 0 || control || whole == "\xef\xbf\xbe" || whole == "\xef\xbf\xbf") {
      out += "\xef\xbf\xbd";
      length = std::max<std::size_t>(length, 1);
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += whole;
    }
  }
  return out;
}

/// Appends shapes to a drawing.
class svg {
 public:
  void rect(double x, double y, double w, double h, const std::string& fill, double round = 0,
            const std::string& more = "") {
    char t[320];
    std::snprintf(
        t, sizeof t,
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"%.1f\" fill=\"%s\"%s/>\n",
        x, y, w, h, round, fill.c_str(), more.c_str());
    body_ += t;
  }
  void line(double x1, double y1, double x2, double y2, const std::string& stroke, double width,
            const std::string& more = "") {
    char t[320];
    std::snprintf(t, sizeof t,
                  "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" "
                  "stroke-width=\"%.2f\"%s/>\n",
                  x1, y1, x2, y2, stroke.c_str(), width, more.c_str());
    body_ += t;
  }
  /// `anchor` is start, middle or end; `style` e.g. "font-weight:600".
  void text(double x, double y, const std::string& what, double size, const std::string& fill,
            const char* anchor = "start", const std::string& style = "") {
    char t[200];
    std::snprintf(t, sizeof t,
                  "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" fill=\"%s\" text-anchor=\"%s\"",
                  x, y, size, fill.c_str(), anchor);
    body_ += t;
    if (!style.empty()) body_ += " style=\"" + style + "\"";
    body_ += ">" + escaped(what) + "</text>\n";
  }
  /// The whole drawing on a light background.
  [[nodiscard]] std::string page(double width, double height, const std::string& title) const {
    char t[420];
    std::snprintf(
        t, sizeof t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
        "height=\"%.0f\" font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, "
        "'Liberation Sans', sans-serif\" role=\"img\">\n",
        width, height, width, height);
    return t + ("<title>" + escaped(title) + "</title>\n") +
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
  }

 private:
  std::string body_;
};

}  // namespace loops::cli
