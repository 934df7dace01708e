// SPDX-License-Identifier: Apache-2.0
/// On the host: SuiteSparse:GraphBLAS, each algorithm in as few of its operations as it takes.
#include "loops/core/error.hpp"

// What the header includes, before it: it leaves to its users to say that it is C.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}

#include "graph/contenders.hpp"

namespace loops::bench {

namespace {

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw error(errc::device,
                std::string("GraphBLAS, ") + what + ": code " + std::to_string(int(info)));
}

/// The graph as GraphBLAS holds it, and the vectors that the algorithms need.
class graph {
 public:
  explicit graph(const problem& p)
      : n_(static_cast<GrB_Index>(p.graph.rows)), source_(static_cast<GrB_Index>(p.source)) {
    static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
    check(started, "starting");
    const int threads = static_cast<int>(p.exec.template describe<shape<1, 1>>().blocks);
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "setting the threads");
    std::vector<GrB_Index> rows;
    std::vector<GrB_Index> cols;
    for (std::int32_t r = 0; r < p.graph.rows; ++r)
      for (auto k = p.graph.offsets.data()[r]; k < p.graph.offsets.data()[r + 1]; ++k) {
        rows.push_back(static_cast<GrB_Index>(r));
        cols.push_back(static_cast<GrB_Index>(p.graph.indices.data()[k]));
      }
    check(GrB_Matrix_new(&a_, GrB_FP32, n_, n_), "making the graph");
    check(GrB_Matrix_build_FP32(a_, rows.data(), cols.data(), p.graph.values.data(), rows.size(),
                                GrB_FIRST_FP32),
          "filling in the graph");
    check(GrB_Matrix_wait(a_, GrB_MATERIALIZE), "filling in the graph");
    for (GrB_Vector* v : {&out_, &next_, &closer_, &weight_})
      check(GrB_Vector_new(v, GrB_FP32, n_), "making a vector");
    check(GrB_Vector_new(&level_, GrB_INT32, n_), "making a vector");
    check(GrB_Vector_new(&label_, GrB_INT64, n_), "making a vector");
    check(GrB_Vector_new(&least_, GrB_INT64, n_), "making a vector");
    check(GrB_Vector_new(&found_, GrB_BOOL, n_), "making a vector");
    check(GrB_Matrix_new(&lower_, GrB_FP32, n_, n_), "making a matrix");
    check(GrB_Matrix_new(&count_, GrB_INT64, n_, n_), "making a matrix");
  }
  ~graph() {
    for (GrB_Vector* v : {&out_, &next_, &closer_, &weight_, &level_, &label_, &least_, &found_})
      GrB_Vector_free(v);
    for (GrB_Matrix* m : {&a_, &lower_, &count_}) GrB_Matrix_free(m);
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  void find_levels() {
    check(GrB_Vector_clear(level_), "clearing");
    check(GrB_Vector_clear(found_), "clearing");
    check(GrB_Vector_setElement_BOOL(found_, true, source_), "naming the source");
    for (std::int32_t depth = 0;; ++depth) {
      GrB_Index size = 0;
      check(GrB_Vector_nvals(&size, found_), "counting");
      if (size == 0) break;
      check(GrB_Vector_assign_INT32(level_, found_, nullptr, depth, GrB_ALL, n_, GrB_DESC_S),
            "noting levels");
      check(GrB_vxm(found_, level_, nullptr, GxB_ANY_PAIR_BOOL, found_, a_, GrB_DESC_RSC),
            "following edges");
    }
  }
  void find_distances() {
    constexpr float far = std::numeric_limits<float>::infinity();
    check(GrB_Vector_assign_FP32(out_, nullptr, nullptr, far, GrB_ALL, n_, nullptr), "starting");
    check(GrB_Vector_setElement_FP32(out_, 0, source_), "naming the source");
    check(GrB_Vector_clear(closer_), "clearing");
    check(GrB_Vector_setElement_FP32(closer_, 0, source_), "naming the source");
    for (GrB_Index size = 1; size > 0;) {
      check(GrB_vxm(next_, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_FP32, closer_, a_, GrB_DESC_R),
            "relaxing edges");
      check(GrB_Vector_eWiseMult_BinaryOp(found_, nullptr, nullptr, GrB_LT_FP32, next_, out_,
                                          nullptr),
            "comparing");
      check(GrB_Vector_assign(closer_, found_, nullptr, next_, GrB_ALL, n_, GrB_DESC_R),
            "keeping the closer ones");
      check(GrB_Vector_assign(out_, closer_, nullptr, closer_, GrB_ALL, n_, GrB_DESC_S),
            "noting distances");
      check(GrB_Vector_nvals(&size, closer_), "counting");
    }
  }
  void find_ranks() {
    const auto vertices = static_cast<float>(n_);
    // Degrees of vertices that have an edge.
    check(GrB_Vector_assign_FP32(out_, nullptr, nullptr, 1.0F, GrB_ALL, n_, nullptr), "starting");
    check(GrB_mxv(weight_, nullptr, nullptr, GxB_PLUS_SECOND_FP32, a_, out_, GrB_DESC_R),
          "counting neighbours");
    check(GrB_Vector_assign_FP32(out_, nullptr, nullptr, 1.0F / vertices, GrB_ALL, n_, nullptr),
          "starting");
    for (int i = 0; i < rank_iterations; ++i) {
      float all = 0;
      float linked = 0;
      check(GrB_Vector_assign(next_, weight_, nullptr, out_, GrB_ALL, n_, GrB_DESC_RS), "masking");
      check(GrB_Vector_reduce_FP32(&all, nullptr, GrB_PLUS_MONOID_FP32, out_, nullptr), "summing");
      check(GrB_Vector_reduce_FP32(&linked, nullptr, GrB_PLUS_MONOID_FP32, next_, nullptr),
            "summing");
      check(GrB_Vector_eWiseMult_BinaryOp(closer_, nullptr, nullptr, GrB_DIV_FP32, next_, weight_,
                                          nullptr),
            "sharing ranks out");
      check(GrB_mxv(next_, nullptr, nullptr, GxB_PLUS_SECOND_FP32, a_, closer_, GrB_DESC_R),
            "following links");
      const auto d = static_cast<float>(damping);
      check(GrB_Vector_assign_FP32(out_, nullptr, nullptr, (1 - d + d * (all - linked)) / vertices,
                                   GrB_ALL, n_, nullptr),
            "going anywhere");
      check(GrB_Vector_apply_BinaryOp2nd_FP32(out_, nullptr, GrB_PLUS_FP32, GrB_TIMES_FP32, next_,
                                              d, nullptr),
            "adding ranks");
    }
  }
  /// The least label among neighbours, then the label of the label, until nothing changes.
  void find_components() {
    std::vector<GrB_Index> labels(n_);
    std::vector<std::int64_t> values(n_);
    std::vector<GrB_Index> where(n_);
    for (GrB_Index v = 0; v < n_; ++v) {
      where[v] = v;
      values[v] = static_cast<std::int64_t>(v);
    }
    check(GrB_Vector_clear(label_), "clearing");
    check(GrB_Vector_build_INT64(label_, where.data(), values.data(), n_, GrB_FIRST_INT64),
          "starting");
    for (bool changed = true; changed;) {
      check(GrB_Vector_assign(least_, nullptr, nullptr, label_, GrB_ALL, n_, nullptr), "copying");
      check(GrB_mxv(least_, nullptr, GrB_MIN_INT64, GrB_MIN_SECOND_SEMIRING_INT64, a_, label_,
                    nullptr),
            "asking neighbours");
      GrB_Index size = n_;
      check(GrB_Vector_extractTuples_INT64(where.data(), values.data(), &size, least_), "reading");
      for (GrB_Index v = 0; v < size; ++v) labels[where[v]] = static_cast<GrB_Index>(values[v]);
      check(GrB_Vector_extract(least_, nullptr, GrB_MIN_INT64, least_, labels.data(), n_, nullptr),
            "shortening");
      check(GrB_Vector_eWiseMult_BinaryOp(found_, nullptr, nullptr, GrB_NE_INT64, least_, label_,
                                          nullptr),
            "comparing");
      check(GrB_Vector_reduce_BOOL(&changed, nullptr, GrB_LOR_MONOID_BOOL, found_, nullptr),
            "comparing");
      std::swap(least_, label_);
    }
  }
  void find_triangles() {
    check(GrB_Matrix_select_INT64(lower_, nullptr, nullptr, GrB_TRIL, a_, -1, nullptr), "halving");
    check(GrB_mxm(count_, lower_, nullptr, GxB_PLUS_PAIR_INT64, lower_, lower_, GrB_DESC_RST1),
          "joining");
    check(GrB_Matrix_reduce_INT64(&triangles_, nullptr, GrB_PLUS_MONOID_INT64, count_, nullptr),
          "summing");
  }

  /// A number per vertex, -1 where there is none.
  [[nodiscard]] std::vector<double> answer(question q) const {
    if (q == question::triangles) return {static_cast<double>(triangles_)};
    GrB_Vector from = q == question::levels ? level_ : q == question::components ? label_ : out_;
    std::vector<GrB_Index> where(n_);
    std::vector<double> values(n_);
    GrB_Index size = n_;
    check(GrB_Vector_extractTuples_FP64(where.data(), values.data(), &size, from), "reading");
    std::vector<double> out(n_, -1.0);
    for (GrB_Index i = 0; i < size; ++i) out[where[i]] = values[i];
    return out;
  }

 private:
  GrB_Index n_;
  GrB_Index source_;
  GrB_Matrix a_ = nullptr;
  GrB_Matrix lower_ = nullptr;
  GrB_Matrix count_ = nullptr;
  GrB_Vector out_ = nullptr;
  GrB_Vector next_ = nullptr;
  GrB_Vector closer_ = nullptr;
  GrB_Vector weight_ = nullptr;
  GrB_Vector level_ = nullptr;
  GrB_Vector label_ = nullptr;
  GrB_Vector least_ = nullptr;
  GrB_Vector found_ = nullptr;
  std::int64_t triangles_ = 0;
};

}  // namespace

std::vector<contender> peers(question q) {
  return {{"graphblas", [q](const problem& p) -> attempt {
             auto g = std::make_shared<graph>(p);
             return {[g, q] {
                       switch (q) {
                         case question::levels:
                           return g->find_levels();
                         case question::distances:
                           return g->find_distances();
                         case question::ranks:
                           return g->find_ranks();
                         case question::components:
                           return g->find_components();
                         default:
                           return g->find_triangles();
                       }
                     },
                     [g, q] { return g->answer(q); }};
           }}};
}

}  // namespace loops::bench
