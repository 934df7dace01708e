// SPDX-License-Identifier: Apache-2.0
/// Reads the command line.
#include "gemm/options.hpp"

#include "algorithms/gemm/select/model.hpp"
#include "loops/core/error.hpp"
#include "loops/execution/executor.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace loops::bench {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (true) {
    const auto at = text.find(separator);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

int integer(const std::string& option, const std::string& text, int least) {
  int n = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || n < least)
    throw error(errc::invalid_argument, option + " takes an integer of at least " +
                                            std::to_string(least) + ", not '" + text + "'");
  return n;
}

double positive(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(x > 0))
    throw error(errc::invalid_argument, option + " takes a positive number, not '" + text + "'");
  return x;
}

shape_mnk shape(const std::string& text) {
  const auto sides = split(text, 'x');
  if (sides.size() != 3 && sides.size() != 4)
    throw error(
        errc::invalid_argument,
        "a product is written MxNxK, such as 4096x4096x4096, and a batch MxNxKxBATCH, not '" +
            text + "'");
  return {integer("M", sides[0], 1), integer("N", sides[1], 1), integer("K", sides[2], 1),
          sides.size() == 4 ? integer("BATCH", sides[3], 1) : 1};
}

}  // namespace

void print_usage() {
  std::puts(
      "bench_gemm [options] [MxNxK[xBATCH] ...]\n"
      "  MxNxK[xBATCH]     products, or batches; without any, a sample of the corpus\n"
      "  --sample=N        N products of the corpus of 32,824 (20), from number ...\n"
      "  --from=I          ... I (0)\n"
      "  --grouped=64x2048,64xmixed,...\n"
      "                    instead: so many products at once of n = k = 2048, or of any, with m\n"
      "                    from 16 to 4096\n"
      "  --types=bf16,f16,e4m3,i8,tf32,f32,f64\n"
      "                    types of A and B (bf16 on a GPU, f32 on the host)\n"
      "  --layouts=nt,nn,tn,tt\n"
      "                    A and B as they are (n) or stored transposed (t); C is row-major (nt)\n"
      "  --selected        of the library's tiles and schedules, only what it would choose\n"
      "  --measured        also plans that try a few and keep the fastest\n"
      "  --all             all of them, also those that the model says are hopeless\n"
      "  --hopeless=X      hopeless: X times the best that the model expects (3)\n"
      "  --waves=-1,0,...  schedules: 0 data-parallel, n the n-tile hybrid, -1 all Stream-K\n"
      "                    (0,-1,1,2)\n"
      "  --offers=N        of what a peer's heuristics offer, the first N (16); 0: no peers\n"
      "  --peer=FILE.so    with --grouped, also what a shared library offers: see\n"
      "                    bench/gemm/peers/plug_in.hpp\n"
      "  --fast-sums       peers may sum 8-bit products in fewer bits\n"
      "  --seconds=S       of measuring per product, at most (0.1)\n"
      "  --limit=S         after S seconds, end as usual with what has been measured\n"
      "  --out=FILE        write JSON\n"
      "  --commit=TEXT     the commit that the results name, instead of the one that was built");
}

options parse(int argc, char** argv) {
  options out;
#if LOOPS_CUDA || LOOPS_HIP
  out.kinds = {operand_kind::bf16};
#else
  out.kinds = {operand_kind::f32};
#endif
  out.layouts = {"nt"};
  out.waves = {0, -1, 1, 2};
  for (int i = 0; i < argc; ++i) {
    if (i > 0) out.command += ' ';
    out.command += argv[i];
  }
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.substr(0, 2) != "--") {
      out.shapes.push_back(shape(argument));
      continue;
    }
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--sample") {
      out.sample = integer(name, value, 1);
    } else if (name == "--from") {
      out.from = integer(name, value, 0);
      require(out.from < corpus_size, errc::invalid_argument,
              "--from takes a number below 32824: the corpus has no more products");
    } else if (name == "--grouped") {
      out.grouped = split(value, ',');
    } else if (name == "--types") {
      out.kinds.clear();
      for (const std::string& type : split(value, ',')) out.kinds.push_back(operand_named(type));
    } else if (name == "--layouts") {
      out.layouts = split(value, ',');
      for (const std::string& l : out.layouts)
        if (l != "nn" && l != "nt" && l != "tn" && l != "tt")
          throw error(errc::invalid_argument, "--layouts takes nn, nt, tn and tt, not '" + l + "'");
    } else if (name == "--waves") {
      out.waves.clear();
      for (const std::string& w : split(value, ',')) {
        out.waves.push_back(integer(name, w, -1));
        if (!select::is_gemm_policy(out.waves.back()))
          throw error(
              errc::invalid_argument,
              "--waves takes integers from -1 to 6, which the model knows, not '" + w + "'");
      }
    } else if (argument == "--selected") {
      out.selected_only = true;
    } else if (argument == "--measured") {
      out.measured = true;
    } else if (argument == "--all") {
      out.everything = true;
    } else if (name == "--hopeless") {
      out.hopeless = positive(name, value);
    } else if (name == "--offers") {
      out.offers = integer(name, value, 0);
    } else if (argument == "--fast-sums") {
      out.fast_sums = true;
    } else if (name == "--peer") {
      out.peers.push_back(value);
    } else if (name == "--seconds") {
      out.seconds = positive(name, value);
    } else if (name == "--limit") {
      out.limit = positive(name, value);
    } else if (name == "--out") {
      out.out = value;
    } else if (name == "--commit") {
      out.commit = value;
    } else {
      throw error(errc::invalid_argument, "there is no option " + argument + "; --help lists them");
    }
  }
  require(out.peers.empty() || !out.grouped.empty(), errc::invalid_argument,
          "--peer names libraries that multiply groups: it needs --grouped");
  return out;
}

}  // namespace loops::bench
