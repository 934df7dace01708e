// SPDX-License-Identifier: Apache-2.0
/// The `loops` command: reads the command line and calls the subcommand.
#include "loops/version.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/dense.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/kinds.hpp"
#include "cli/machine_facts.hpp"
#include "cli/printable.hpp"

namespace {

namespace cli = loops::cli;

constexpr const char* inputs_help =
    "a .mtx or .mtx.gz file, a folder (every matrix in it), a bundled matrix such as petersen, or "
    "a generator such as rmat:scale=18,edges=16 (`loops generate --list`)";

constexpr const char* footer = R"(
Exit codes:
  0  everything was done and every result is right
  1  a result is wrong, or not repeatable
  2  the command line is wrong, or asks for a device that this machine does not have
  3  an input could not be read or does not fit, or an output could not be written
  4  the machine failed: out of memory, a driver's error
Of several inputs, those that can be done are done; 1 goes before the others, of which the highest
counts.

Examples:
  loops spmv cant.mtx.gz --schedule all
  loops spmv matrices/ rmat:scale=20,edges=16 --schedule all --report report.html
  loops gemm 4096 4096 4096 --schedule all
  loops info power_law:rows=1M,nonzeros=14M
  loops draw arrow:rows=24 --schedule merge_path -o merge_path.svg
  loops draw gemm 896 384 1024 --schedule stream_k:2 -o stream_k.svg
  loops generate stencil5:nx=1000,ny=1000 --out stencil.mtx.gz
  loops fetch Williams/cant --out matrices)";

template <std::size_t N>
CLI::IsMember one_of(const std::array<const char*, N>& names, const char* also = nullptr) {
  std::vector<std::string> all(names.begin(), names.end());
  if (also) all.insert(all.begin(), also);
  return CLI::IsMember(all);
}

void add_spmv(CLI::App& app, cli::spmv_request& r) {
  auto* c = app.add_subcommand("spmv", "Time y = alpha A x + beta y under schedules, and judge y");
  c->add_option("FILE", r.inputs, inputs_help)->required();
  c->add_option("--schedule", r.schedule,
                "names with commas between them; all stands for all, auto and measured choose one")
      ->capture_default_str();
  c->add_option("--type", r.type, "of the elements; auto: f32, and c32 for complex files")
      ->capture_default_str()
      ->check(one_of(cli::value_names, "auto"));
  c->add_option("--format", r.format, "how the matrix is stored")
      ->capture_default_str()
      ->check(one_of(cli::format_names));
  c->add_option("--index", r.index_bits, "bits of an index")
      ->capture_default_str()
      ->transform(cli::either(32, 64));
  c->add_option("--device", r.device,
                "host, gpu, gpu:N, emulation32 or emulation64; default: a GPU if the program was "
                "built for one and there is one, else host");
  c->add_option("--repeat", r.repeat, "timed runs; the median counts (default 20, emulated 1)")
      ->transform(cli::whole(1, 1000000));
  c->add_option("--alpha", r.alpha, "factor of A x")->capture_default_str()->check(cli::finite());
  c->add_option("--beta", r.beta, "factor of y")->capture_default_str()->check(cli::finite());
  c->add_flag("--warm", r.warm, "on a GPU: leave the matrix in the cache from run to run");
  c->add_flag("--full", r.all_rows, "a row per schedule however many matrices there are");
  c->add_option("--json", r.json, "write everything to this file; - is standard output");
  c->add_option("--report", r.report, "write a page with tables and plots to this file");
  c->footer(R"(
Bytes are counted once each: the matrix as stored, x, and y (twice if beta is not 0). "% of copy"
compares them with a large copy measured first; small matrices that stay in a CPU's cache pass 100%.
A result is right when every row of n nonzeros is within (n + 4) eps sum|a x| of a reference summed
in twice double precision, eps being that of the type sums are kept in (plus one rounding for 16-bit
types). Imbalance: steps of the busiest lane over the mean of all lanes; 1 is perfect.)");
}

void add_gemm(CLI::App& app, cli::gemm_request& r) {
  auto* c = app.add_subcommand("gemm", "Time C = alpha A B + beta C under schedules, and judge C");
  const auto size = cli::whole(0, std::int64_t{1} << 31);
  c->add_option("M", r.m, "rows of A and C")->required()->transform(size);
  c->add_option("N", r.n, "columns of B and C")->required()->transform(size);
  c->add_option("K", r.k, "columns of A, rows of B")->required()->transform(size);
  c->add_option("--schedule", r.schedule,
                "names with commas between them; all stands for all, auto and measured choose one")
      ->capture_default_str();
  c->add_option("--type", r.type,
                "of the elements; results of tf32 and e4m3 are f32, those of i8 32-bit integers")
      ->capture_default_str()
      ->check(one_of(cli::dense_names));
  c->add_option("--layout", r.layout, "nn: all by rows; nt: B by columns")
      ->capture_default_str()
      ->check(CLI::IsMember({"nn", "nt"}));
  c->add_option("--device", r.device, "host, gpu or gpu:N, as in `loops spmv`");
  c->add_option("--repeat", r.repeat, "timed runs; the median counts")
      ->capture_default_str()
      ->transform(cli::whole(1, 1000000));
  c->add_option("--alpha", r.alpha, "factor of A B")->capture_default_str()->check(cli::finite());
  c->add_option("--beta", r.beta, "factor of C")->capture_default_str()->check(cli::finite());
  c->add_flag("--warm", r.warm, "on a GPU: leave the matrices in the cache from run to run");
  c->add_option("--json", r.json, "write everything to this file; - is standard output");
  c->add_option("--report", r.report, "write a page with plots and pictures to this file");
  c->footer(R"(
C is judged by a random vector x: every row of C x has to agree with alpha A (B x) + beta C x, the
latter for what C held before, computed in binary64, within the bound that the rounding of every sum
of k products allows. Where an element may not fit its type, the largest or infinity is right.)");
}

void add_draw(CLI::App& app, cli::draw_request& r) {
  auto* c = app.add_subcommand("draw", "Draw which worker takes what, and how even that is");
  c->add_option("FILE", r.inputs, "one matrix, as in `loops spmv`; or: gemm M N K")->required();
  c->add_option("--schedule", r.schedule, "the schedule (default merge_path; stream_k for gemm)");
  c->add_option("-o,--out", r.out, "the .svg to write; - is standard output")->required();
  const auto positive = cli::whole(1, 1 << 20);
  c->add_option("--blocks", r.blocks, "blocks at a time (default 4; 64 for large matrices)")
      ->transform(positive);
  c->add_option("--lanes", r.lanes, "lanes of a block, a power of two (4; 256; at least a wave)")
      ->transform(positive);
  c->add_option("--wave", r.wave, "lanes of a wave, a power of two (4; 32)")->transform(positive);
  c->add_option("--items", r.items, "path steps of a lane in a slice (two slices per block; 9)")
      ->transform(positive);
  c->add_option("--tile", r.tile, "of gemm: rows, columns and k of a step (default 128x128x32)");
  c->add_option("--workers", r.workers, "of gemm: blocks at a time (4; 132 for many tiles)")
      ->transform(positive);
}

void add_rest(CLI::App& app, cli::info_request& info, cli::generate_request& generate,
              cli::fetch_request& fetch, cli::devices_request& devices) {
  auto* i = app.add_subcommand("info", "Show how the rows of a matrix are distributed");
  i->add_option("FILE", info.inputs, inputs_help)->required();
  i->add_option("--device", info.device, "the machine to judge for, as in `loops spmv`");
  i->add_option("--uses", info.uses, "how often a plan is used")
      ->capture_default_str()
      ->transform(cli::whole(1, std::int64_t{1} << 60));
  i->add_option("--bytes", info.value_bytes, "of a value: 4 or 8")
      ->capture_default_str()
      ->transform(cli::either(4, 8));

  auto* g = app.add_subcommand("generate", "Write generated matrices as Matrix Market files");
  auto* specs = g->add_option("SPEC", generate.specs,
                              "generators, as --list shows; none: a dozen typical ones");
  g->add_option("-o,--out", generate.out, "a folder, or the file when there is one SPEC")
      ->capture_default_str();
  g->add_flag("--list", generate.list, "show every generator and its parameters")->excludes(specs);

  auto* f = app.add_subcommand("fetch", "Download matrices of the SuiteSparse collection");
  auto* names = f->add_option("NAME", fetch.names, "GROUP/NAME, or NAME if it is in the catalogue");
  f->add_option("-o,--out", fetch.out, "folder")->capture_default_str();
  f->add_option("--url", fetch.url, "another address with the same layout");
  f->add_flag("--plain", fetch.plain, "keep .mtx, not .mtx.gz");
  f->add_flag("--list", fetch.list, "show the catalogue")->excludes(names);

  auto* d = app.add_subcommand("devices", "List what --device may be here");
  d->add_option("--json", devices.json, "write it to this file; - or none is standard output")
      ->expected(0, 1);
}

void add_train(CLI::App& app, cli::train_request& r) {
  auto* c = app.add_subcommand("train", "Make the selector of `automatic` from benchmark results");
  c->add_option("RESULTS", r.results, "JSON files of bench_spmv, of one machine")->required();
  c->add_option(
      "--limits", r.limits,
      "extra results, used only to learn the size in bytes from which one schedule replaces "
      "another; they do not train the trees");
  c->add_option("-o,--out", r.out, "the header to write; - is standard output");
  c->add_option("--picture", r.picture, "the .svg to write");
  c->add_flag("--report", r.report, "print the tables for every number of uses");
  c->add_option("--name", r.name, "the device class: h200, host or cdna (by the results)");
  c->add_option("--schedules", r.kernels,
                "the kernels to choose from, such as group_mapped,merge_path (as few as lose 1%)")
      ->delimiter(',');
  c->add_option("--judge", r.judges,
                "results of another run, or of another machine of the class: what the selector is "
                "worth there");
  c->add_flag("--predict", r.predict,
              "train on times predicted for the class from the rows' statistics; marked unproved");
  c->add_option("--matrices", r.matrices,
                "where the matrices are; for results without statistics of rows");
}

CLI::App* add_tune_gemm(CLI::App& app, cli::tune_gemm_request& r) {
  auto* tune = app.add_subcommand("tune", "Fit what the library chooses by to this machine");
  tune->require_subcommand(1);
  auto* c = tune->add_subcommand("gemm", "Costs of GEMM tiles, and how good choices by them are");
  c->add_option("RESULTS", r.results, "JSON files of bench_gemm, of one machine")->required();
  c->add_option("--type", r.type, "of the operands")->capture_default_str();
  c->add_option("--layouts", r.layouts, "nt, nn, tn or tt (all there are)");
  c->add_option("-o,--out", r.out, "the header of costs to write; - is standard output");
  c->add_option("--sieve", r.sieve, "the file of Bloom filters to write");
  c->add_option("--sieve-rate", r.sieve_rate, "share of false claims of a filter")
      ->capture_default_str();
  c->footer(R"(
Costs are fitted to one half of the products, chosen by a hash of their sizes, and judged on the
other; what is written is fitted to all. The table compares the choice with the best that was
measured of the library's own, and with the peer's first choice and its best.)");
  return c;
}

/// Nothing is asked for by an empty text: a variable of the shell was not set, and `--json ''`
/// would measure for nobody.
void refuse_empty_texts(CLI::App& app) {
  const CLI::Validator given(
      [](const std::string& text) {
        return std::string(text.empty() ? "the text is empty; give one, or leave it out" : "");
      },
      "");
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_min() > 0) option->check(given);
  for (CLI::App* under : app.get_subcommands([](const CLI::App*) { return true; }))
    refuse_empty_texts(*under);
}

/// Reads the command line and does what it says; returns the code to end with.
int run(int count, char** arguments) {
  // `loops help spmv` is `loops spmv --help`.
  std::string help = "--help";
  std::vector<char*> turned;
  if (count > 1 && std::string(arguments[1]) == "help") {
    turned.assign(arguments, arguments + count);
    turned.erase(turned.begin() + 1);
    turned.push_back(help.data());
    arguments = turned.data();
  }
  CLI::App app{
      "Sparse matrix times vector and products of matrices under every schedule, timed and judged; "
      "and what the schedules do.",
      "loops"};
  app.set_version_flag("-v,--version",
                       std::string("loops ") + loops::version_string + " (" + cli::commit() + ")");
  app.require_subcommand(1);
  app.footer(footer);
  app.get_formatter()->column_width(34);
  app.failure_message([](const CLI::App* at, const CLI::Error& e) {
    return CLI::FailureMessage::simple(
        at, CLI::Error(e.get_name(), cli::printable(e.what()), e.get_exit_code()));
  });
  cli::spmv_request spmv;
  cli::gemm_request gemm;
  cli::info_request info;
  cli::draw_request draw;
  cli::generate_request generate;
  cli::fetch_request fetch;
  cli::train_request train;
  add_train(app, train);
  cli::tune_gemm_request tune_gemm;
  CLI::App* tuning = add_tune_gemm(app, tune_gemm);
  add_spmv(app, spmv);
  add_gemm(app, gemm);
  add_draw(app, draw);
  cli::devices_request devices;
  add_rest(app, info, generate, fetch, devices);
  refuse_empty_texts(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& e) {
    if (const std::string stray = cli::stray_word(app, count, arguments); !stray.empty()) {
      cli::say(stray);
      return cli::exit_usage;
    }
    return app.exit(e) == 0 ? cli::exit_right : cli::exit_usage;
  }
  spmv.command_line = "loops";
  for (int i = 1; i < count; ++i) spmv.command_line += std::string(" ") + arguments[i];
  gemm.command_line = spmv.command_line;
  if (app.got_subcommand("train")) return cli::run_train(train);
  if (tuning->parsed()) return cli::run_tune_gemm(tune_gemm);
  if (app.got_subcommand("spmv")) return cli::run_spmv(spmv);
  if (app.got_subcommand("gemm")) return cli::run_gemm(gemm);
  if (app.got_subcommand("info")) return cli::run_info(info);
  if (app.got_subcommand("draw")) return cli::run_draw(draw);
  if (app.got_subcommand("generate")) return cli::run_generate(generate);
  if (app.got_subcommand("fetch")) return cli::run_fetch(fetch);
  if (app.get_subcommand("devices")->count("--json") > 0 && devices.json.empty())
    devices.json = "-";
  return cli::run_devices(devices);
}

}  // namespace

int main(int count, char** arguments) try {
  const int code = run(count, arguments);
  if (code == cli::exit_right) cli::finish_standard_output();
  return code;
} catch (...) {
  const cli::failure why = cli::caught();
  cli::say(why.message);
  return why.code();
}
