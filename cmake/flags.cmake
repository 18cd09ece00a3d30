# The flags of every file of ours, kept in one interface target so that generated code (GLAD) can go without them.
#
# -ffp-contract=off: a fused multiply-add rounds otherwise than the two operations, and pictures must be equal on every
# machine. No -march: the release build runs on any x86-64; files named *_avx2.c alone are compiled for AVX2 (see
# folders.cmake), without FMA for the same reason.
add_library(leafwalk_flags INTERFACE)
target_compile_options(leafwalk_flags INTERFACE
  -Wall -Wextra -Werror -Wno-missing-braces -Wstrict-prototypes -Wmissing-prototypes -Wvla -ffp-contract=off)
target_compile_definitions(leafwalk_flags INTERFACE _GNU_SOURCE=)
target_include_directories(leafwalk_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)

if(LEAFWALK_FUZZ)
  set(LEAFWALK_SANITIZE "fuzzer-no-link,address,undefined")
endif()
if(LEAFWALK_SANITIZE)
  add_compile_options(-fsanitize=${LEAFWALK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LEAFWALK_SANITIZE} -fno-sanitize-recover=all)
endif()
