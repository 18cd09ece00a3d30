# One static library per folder of src/, in the order of the house map; a folder that has no .c file yet is skipped.
#
# leafwalk_all is what the program, the tests and the fuzz targets link.
#
# Where the program finds its data: scripts/, shaders/, maps/ and fonts/ stand in the source folder
# (LEAFWALK_SOURCE_DIR), the copied fonts and what is generated in the build folder (LEAFWALK_BUILD_DIR). Both are
# compile definitions of app/ and of the tests alone; app/ passes what others need down as arguments.
set(LEAFWALK_DEFINITIONS
  LEAFWALK_VERSION="${PROJECT_VERSION}"
  LEAFWALK_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  LEAFWALK_BUILD_DIR="${CMAKE_BINARY_DIR}")

add_library(leafwalk_all INTERFACE)
target_link_libraries(leafwalk_all INTERFACE leafwalk_flags)
set(before "")
foreach(folder IN LISTS LEAFWALK_FOLDERS)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c ${CMAKE_SOURCE_DIR}/src/${folder}/*/*.c)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/app/main.c)    # the program's own: tests have theirs
  if(NOT sources)
    continue()
  endif()
  add_library(${folder} STATIC ${sources})
  get_property(outside GLOBAL PROPERTY leafwalk_links_${folder})
  # base's libraries (vectors, threads, mathematics) are everybody's; all others are known to one folder.
  if(folder STREQUAL "base")
    target_link_libraries(base PUBLIC leafwalk_flags ${outside})
  else()
    target_link_libraries(${folder} PUBLIC leafwalk_flags ${before} PRIVATE ${outside})
  endif()
  foreach(source IN LISTS sources)
    if(source MATCHES "_avx2\\.c$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -mavx2)
    elseif(source MATCHES "image_stb\\.c$")    # the file says why
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fno-sanitize=shift-exponent)
    endif()
  endforeach()
  if(folder STREQUAL "app")
    target_compile_definitions(app PRIVATE ${LEAFWALK_DEFINITIONS})
  endif()
  list(PREPEND before ${folder})
  target_link_libraries(leafwalk_all INTERFACE ${folder})
endforeach()
