// Whole operations over tensors: packing of weights, threads, and sums of partial gradients whose order
// depends on the data only, never on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "plan.hpp"

namespace g2milp {

const char* instruction_set();
bool select_instruction_set(const char* name);  // for tests; false where the processor lacks it

// A layer's tensors as torch holds them: w1 [mid][Σ width], b1 [mid] (or [graphs][mid]), w2 [out][mid],
// b2 [out]; w2 null: a linear map.
template <class T>
struct MlpTensors {
  std::vector<int> widths;
  int mid, out;
  const T *w1, *b1, *w2, *b2;
};

template <class T>
struct MlpGradients {
  T *w1, *b1, *w2, *b2;
};

struct Graphs {
  const std::int32_t* offsets;  // [count + 1]
  int count;
};

template <class T>
void mlp_forward(int threads, int rows, const MlpTensors<T>& m, const std::vector<const T*>& x,
                 const Graphs* segments, T* y);
template <class T>
void mlp_backward(int threads, int rows, const MlpTensors<T>& m, const std::vector<const T*>& x,
                  const Graphs* segments, const T* gy, const std::vector<T*>& gx,
                  const MlpGradients<T>& gw);

template <class T>
struct HalfConvolution {
  Graphs targets, sources;
  const std::int32_t *ptr, *source, *code;
  int table_rows, width;  // width: of the messages
  MlpTensors<T> left, right, out;  // out reads [sums, h_target, degree]
  const T *h_target, *h_source, *table;
};

template <class T>
struct HalfGradients {
  T *h_target, *h_source, *table;
  MlpGradients<T> left, right, out;
};

// `sums` ([targets][padded(width)]) may be null: then the backward computes them again.
template <class T>
void half_forward(int threads, const HalfConvolution<T>& c, T* sums, T* y);
template <class T>
void half_backward(int threads, const HalfConvolution<T>& c, const T* sums, const T* gy,
                   const HalfGradients<T>& g);

template <class T>
struct NormTensors {
  const T *x, *weight, *bias, *mean_scale;
  T eps;
};

template <class T>
struct NormGradients {
  T *x, *weight, *bias, *mean_scale, *replaced;
};

// Ascending numbers of rows that stand elsewhere: their values in `replaced` (null: in x as all
// others), their gradients in `gy_apart`.
struct RowIds {
  const std::int64_t* ids;
  int count;
};

template <class T>
void norm_forward(int threads, const Graphs& graphs, int width, const NormTensors<T>& t,
                  const RowIds& apart, const T* replaced, T* y, T* statistics);
template <class T>
void norm_backward(int threads, const Graphs& graphs, int width, const NormTensors<T>& t,
                   const RowIds& apart, const T* replaced, const T* statistics, const T* gy,
                   const T* gy_apart, const NormGradients<T>& g);

// Whether every edge joins nodes of one graph and every code is below `codes`.
bool edges_are_valid(const Graphs& targets, const Graphs& sources, const std::int32_t* ptr,
                     const std::int32_t* source, const std::int32_t* code, std::int64_t edges,
                     int codes);

}  // namespace g2milp
