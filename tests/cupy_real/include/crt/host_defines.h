// What CUDA's headers take from a part of the toolkit that no wheel of the runtime brings.
#pragma once

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_DEVICE
#define CUDART_CB
#define __host__
#define __device__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __specialization_static
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
