// In the place of CuPy's header, which includes those of Thrust: lagbfs has no complex numbers.
#pragma once
