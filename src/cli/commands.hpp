// SPDX-License-Identifier: Apache-2.0
/// The subcommands, each in the file of its name, and how they end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loops::cli {

/// Exit codes, as `loops --help` documents them. Of several inputs, a wrong result goes before one
/// that failed, and of those the higher code.
enum exit_code {
  exit_right = 0,       ///< everything was done and every result is right
  exit_wrong = 1,       ///< a result is wrong or not repeatable
  exit_usage = 2,       ///< the command line is wrong, or asks for a device that is not here
  exit_unreadable = 3,  ///< an input could not be read, or an output not written
  exit_machine = 4,     ///< the machine failed: out of memory, a driver's error
};

/// The names in a text with commas between them.
[[nodiscard]] inline std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

struct spmv_request {
  std::vector<std::string> inputs;
  std::string schedule = "auto";
  std::string type = "auto";
  std::string format = "csr";
  std::string device;
  int index_bits = 32;
  int repeat = 0;  ///< 0: as many as the device is worth
  double alpha = 1;
  double beta = 0;
  bool warm = false;
  bool all_rows = false;  ///< print every schedule of every matrix
  std::string json;
  std::string report;
  std::string command_line;
};
int run_spmv(const spmv_request& request);

struct gemm_request {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::string schedule = "auto";
  std::string type = "f32";
  std::string layout = "nn";
  std::string device;
  int repeat = 20;
  double alpha = 1;
  double beta = 0;
  bool warm = false;
  std::string json;
  std::string report;
  std::string command_line;
};
int run_gemm(const gemm_request& request);

struct info_request {
  std::vector<std::string> inputs;
  std::string device;
  std::int64_t uses = 1000;  ///< of a plan
  int value_bytes = 4;
};
int run_info(const info_request& request);

struct draw_request {
  std::vector<std::string> inputs;  ///< a matrix, or "gemm", m, n and k
  std::string schedule;             ///< empty: merge_path; for gemm stream_k
  std::string out;
  std::string tile;  ///< of gemm, as 128x128x32
  int workers = 0;   ///< of gemm, at a time; 0: what suits the picture
  int blocks = 0;    ///< at a time; 0 here and below: what suits the matrix
  int lanes = 0;     ///< of a block
  int wave = 0;      ///< lanes of a wave
  int items = 0;     ///< path steps of a lane and slice
};
int run_draw(const draw_request& request);
/// The same for the tiles and k-steps of a matrix product.
int draw_gemm(const draw_request& request);

struct generate_request {
  std::vector<std::string> specs;
  std::string out = ".";
  bool list = false;
};
int run_generate(const generate_request& request);

struct fetch_request {
  std::vector<std::string> names;
  std::string out = ".";
  std::string url;  ///< empty: the collection's own
  bool plain = false;
  bool list = false;
};
int run_fetch(const fetch_request& request);

struct train_request {
  std::vector<std::string> results;
  std::vector<std::string> matrices;  ///< files and folders, for results without statistics
  std::vector<std::string> kernels;   ///< to choose from; empty: as few as suffice
  std::string name;                   ///< of the device class; empty: by the results
  std::string out;
  std::string picture;
  bool report = false;
  std::vector<std::string> limits;  ///< results whose other matrices train no tree
  bool predict = false;             ///< train on predicted times
  std::vector<std::string> judges;  ///< results of another run or machine, to be judged by too
};
int run_train(const train_request& request);

struct tune_gemm_request {
  std::vector<std::string> results;
  std::string type = "bf16";
  std::string layouts;       ///< empty: all
  std::string out;           ///< the header
  std::string sieve;         ///< where to write the sieve
  double sieve_rate = 0.01;  ///< false claims of a filter
};
int run_tune_gemm(const tune_gemm_request& request);

struct devices_request {
  std::string json;
};
int run_devices(const devices_request& request);

}  // namespace loops::cli
