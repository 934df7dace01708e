// SPDX-License-Identifier: Apache-2.0
/// The graph algorithms against SuiteSparse:GraphBLAS, where that is installed.
#include "algorithms/graph/bfs.hpp"
#include "algorithms/graph/components.hpp"
#include "algorithms/graph/pagerank.hpp"
#include "algorithms/graph/sssp.hpp"
#include "algorithms/graph/triangles.hpp"
#include "loops/core/error.hpp"
#include "loops/schedule/merge_path.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

// What the header of GraphBLAS includes, before it: it leaves to its users to say that it is C.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}

#include "graph/graphs.hpp"

namespace {

using graphs::graph;
namespace schedule = loops::schedule;

void call(GrB_Info info) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw loops::error(loops::errc::device, "GraphBLAS: code " + std::to_string(int(info)));
}

/// A vector of GraphBLAS.
class vector {
 public:
  vector(GrB_Type type, GrB_Index n) : n_(n) { call(GrB_Vector_new(&v_, type, n)); }
  ~vector() { GrB_Vector_free(&v_); }
  vector(const vector&) = delete;
  vector& operator=(const vector&) = delete;
  operator GrB_Vector() const { return v_; }
  [[nodiscard]] GrB_Index entries() const {
    GrB_Index size = 0;
    call(GrB_Vector_nvals(&size, v_));
    return size;
  }
  /// Its entries, `none` where there is none.
  [[nodiscard]] std::vector<double> values(double none) const {
    GrB_Index size = n_;
    std::vector<GrB_Index> where(n_);
    std::vector<double> entries(n_);
    call(GrB_Vector_extractTuples_FP64(where.data(), entries.data(), &size, v_));
    std::vector<double> out(n_, none);
    for (GrB_Index i = 0; i < size; ++i) out[where[i]] = entries[i];
    return out;
  }

 private:
  GrB_Vector v_ = nullptr;
  GrB_Index n_;
};

/// The five questions in the operations of GraphBLAS.
class oracle {
 public:
  explicit oracle(const graph& g) : n_(static_cast<GrB_Index>(g.rows)) {
    static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
    call(started);
    std::vector<GrB_Index> rows;
    std::vector<GrB_Index> columns;
    for (int u = 0; u < g.rows; ++u)
      for (auto k = g.offsets[static_cast<std::size_t>(u)];
           k < g.offsets[static_cast<std::size_t>(u) + 1]; ++k) {
        rows.push_back(static_cast<GrB_Index>(u));
        columns.push_back(static_cast<GrB_Index>(g.indices[static_cast<std::size_t>(k)]));
      }
    call(GrB_Matrix_new(&a_, GrB_FP32, n_, n_));
    if (rows.empty()) return;
    call(GrB_Matrix_build_FP32(a_, rows.data(), columns.data(), g.values.data(), rows.size(),
                               GrB_FIRST_FP32));
  }
  ~oracle() { GrB_Matrix_free(&a_); }
  oracle(const oracle&) = delete;
  oracle& operator=(const oracle&) = delete;

  /// Steps from the source, -1 where there is no way.
  [[nodiscard]] std::vector<double> levels(int source) const {
    const vector level(GrB_INT32, n_);
    const vector front(GrB_BOOL, n_);
    call(GrB_Vector_setElement_BOOL(front, true, static_cast<GrB_Index>(source)));
    for (std::int32_t depth = 0; front.entries() != 0; ++depth) {
      call(GrB_Vector_assign_INT32(level, front, nullptr, depth, GrB_ALL, n_, GrB_DESC_S));
      call(GrB_vxm(front, level, nullptr, GxB_ANY_PAIR_BOOL, front, a_, GrB_DESC_RSC));
    }
    return level.values(-1);
  }
  /// Lengths of shortest paths: as many relaxations of all edges as there are vertices.
  [[nodiscard]] std::vector<double> distances(int source) const {
    const vector distance(GrB_FP32, n_);
    call(GrB_Vector_setElement_FP32(distance, 0, static_cast<GrB_Index>(source)));
    for (GrB_Index i = 1; i < n_; ++i)
      call(GrB_vxm(distance, nullptr, GrB_MIN_FP32, GrB_MIN_PLUS_SEMIRING_FP32, distance, a_,
                   nullptr));
    return distance.values(std::numeric_limits<double>::infinity());
  }
  [[nodiscard]] std::vector<double> ranks(int iterations, double damping) const {
    const auto vertices = static_cast<double>(n_);
    const vector rank(GrB_FP64, n_);
    const vector links(GrB_FP64, n_);
    const vector linked(GrB_FP64, n_);
    const vector shared(GrB_FP64, n_);
    const vector next(GrB_FP64, n_);
    call(GrB_Vector_assign_FP64(rank, nullptr, nullptr, 1, GrB_ALL, n_, nullptr));
    call(GrB_mxv(links, nullptr, nullptr, GxB_PLUS_SECOND_FP64, a_, rank, nullptr));
    call(GrB_Vector_assign_FP64(rank, nullptr, nullptr, 1 / vertices, GrB_ALL, n_, nullptr));
    for (int i = 0; i < iterations; ++i) {
      double all = 0;
      double of_linked = 0;
      call(GrB_Vector_assign(linked, links, nullptr, rank, GrB_ALL, n_, GrB_DESC_RS));
      call(GrB_Vector_reduce_FP64(&all, nullptr, GrB_PLUS_MONOID_FP64, rank, nullptr));
      call(GrB_Vector_reduce_FP64(&of_linked, nullptr, GrB_PLUS_MONOID_FP64, linked, nullptr));
      call(GrB_Vector_eWiseMult_BinaryOp(shared, nullptr, nullptr, GrB_DIV_FP64, linked, links,
                                         nullptr));
      call(GrB_vxm(next, nullptr, nullptr, GxB_PLUS_FIRST_FP64, shared, a_, GrB_DESC_R));
      const double anywhere = (1 - damping + damping * (all - of_linked)) / vertices;
      call(GrB_Vector_assign_FP64(rank, nullptr, nullptr, anywhere, GrB_ALL, n_, nullptr));
      call(GrB_Vector_apply_BinaryOp2nd_FP64(rank, nullptr, GrB_PLUS_FP64, GrB_TIMES_FP64, next,
                                             damping, nullptr));
    }
    return rank.values(-1);
  }
  /// The least vertex that can be reached along edges in either direction.
  [[nodiscard]] std::vector<double> components() const {
    const vector label(GrB_INT64, n_);
    for (GrB_Index v = 0; v < n_; ++v)
      call(GrB_Vector_setElement_INT64(label, static_cast<std::int64_t>(v), v));
    for (GrB_Index i = 0; i < n_; ++i) {
      call(GrB_mxv(label, nullptr, GrB_MIN_INT64, GrB_MIN_SECOND_SEMIRING_INT64, a_, label,
                   nullptr));
      call(
          GrB_vxm(label, nullptr, GrB_MIN_INT64, GrB_MIN_FIRST_SEMIRING_INT64, label, a_, nullptr));
    }
    return label.values(-1);
  }
  /// Of a symmetric graph.
  [[nodiscard]] std::int64_t triangles() const {
    GrB_Matrix lower = nullptr;
    GrB_Matrix joined = nullptr;
    std::int64_t count = 0;
    call(GrB_Matrix_new(&lower, GrB_FP32, n_, n_));
    call(GrB_Matrix_new(&joined, GrB_INT64, n_, n_));
    call(GrB_Matrix_select_INT64(lower, nullptr, nullptr, GrB_TRIL, a_, -1, nullptr));
    call(GrB_mxm(joined, lower, nullptr, GxB_PLUS_PAIR_INT64, lower, lower, GrB_DESC_RST1));
    call(GrB_Matrix_reduce_INT64(&count, nullptr, GrB_PLUS_MONOID_INT64, joined, nullptr));
    GrB_Matrix_free(&lower);
    GrB_Matrix_free(&joined);
    return count;
  }

 private:
  GrB_Index n_;
  GrB_Matrix a_ = nullptr;
};

template <class T>
std::vector<double> as_doubles(const loops::array<T>& values) {
  const std::vector<T> host = values.to_vector();
  return {host.begin(), host.end()};
}

template <class Exec>
class graphblas : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(graphblas, support::executors, support::executor_name);

TYPED_TEST(graphblas, finds_the_same_levels) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    const oracle known(g);
    const auto out = g.to(exec.memory());
    const auto in = graphs::reversed(g).to(exec.memory());
    loops::array<std::int32_t> levels(static_cast<std::size_t>(g.rows), exec.memory());
    for (const int source : {0, g.rows / 2}) {
      SCOPED_TRACE(name + " from " + std::to_string(source));
      levels.fill(0x5a);
      loops::bfs(exec, schedule::merge_path{}, out.view(), in.view(), source, levels);
      ASSERT_EQ(as_doubles(levels), known.levels(source));
    }
  }
}

TYPED_TEST(graphblas, finds_the_same_distances) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    const oracle known(g);
    const auto device = g.to(exec.memory());
    loops::array<float> distances(static_cast<std::size_t>(g.rows), exec.memory());
    for (const int source : {0, g.rows / 2}) {
      SCOPED_TRACE(name + " from " + std::to_string(source));
      distances.fill(0xff);
      loops::sssp(exec, schedule::merge_path{}, device.view(), source, distances);
      ASSERT_EQ(as_doubles(distances), known.distances(source));
    }
  }
}

TYPED_TEST(graphblas, finds_the_same_ranks) {
  const auto exec = this->any();
  constexpr int iterations = 20;
  for (const auto& [name, g] : graphs::all()) {
    SCOPED_TRACE(name);
    const auto device = g.to(exec.memory());
    loops::array<double> ranks(static_cast<std::size_t>(g.rows), exec.memory());
    const loops::pagerank_options options{.tolerance = 0, .most_iterations = iterations};
    loops::pagerank<double>(exec, schedule::merge_path{}, device.view(), ranks, options);
    const auto got = as_doubles(ranks);
    const auto wanted = oracle(g).ranks(iterations, options.damping);
    for (std::size_t v = 0; v < got.size(); ++v)
      ASSERT_NEAR(got[v], wanted[v], 1e-12) << "vertex " << v;
  }
}

TYPED_TEST(graphblas, finds_the_same_components) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    SCOPED_TRACE(name);
    const auto device = g.to(exec.memory());
    loops::array<int> labels(static_cast<std::size_t>(g.rows), exec.memory());
    labels.fill(0xff);
    loops::connected_components(exec, schedule::merge_path{}, device.view(), labels);
    ASSERT_EQ(as_doubles(labels), oracle(g).components());
  }
}

TYPED_TEST(graphblas, finds_the_same_triangles) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    if (name.find("directed") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const auto device = g.to(exec.memory());
    EXPECT_EQ(loops::count_triangles(exec, schedule::merge_path{}, device.view()),
              oracle(g).triangles());
  }
}

}  // namespace
