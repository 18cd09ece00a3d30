# The OpenGL 3.3 core loader, written by Debian's python3-glad into the build folder at configure time.
#
# /usr/bin/python3 by its full name: another python3 earlier on the PATH may lack Debian's modules. --reproducible:
# without it glad downloads the specification. -DGLAD_DIR= takes files generated elsewhere.
set(glad_dir ${GLAD_DIR})
if(NOT glad_dir)
  set(glad_dir ${CMAKE_BINARY_DIR}/glad)
  if(NOT EXISTS ${glad_dir}/src/gl.c OR NOT EXISTS ${glad_dir}/include/glad/gl.h)
    execute_process(
      COMMAND /usr/bin/python3 -m glad --api gl:core=3.3 --extensions "" --reproducible --out-path ${glad_dir} c
      RESULT_VARIABLE glad_result OUTPUT_VARIABLE glad_output ERROR_VARIABLE glad_output)
    if(NOT glad_result EQUAL 0)
      message(FATAL_ERROR "glad failed (Debian's package python3-glad is needed; or give -DGLAD_DIR=):\n${glad_output}")
    endif()
  endif()
endif()
add_library(leafwalk_glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(leafwalk_glad SYSTEM PUBLIC ${glad_dir}/include)
