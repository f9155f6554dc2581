// In the place of CuPy's header, which includes CUDA's of the same: lagbfs has no halves.
#pragma once
