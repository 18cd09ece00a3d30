# The outside libraries, each for one folder alone.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)

function(leafwalk_library folder)
  # Warnings about the libraries' own headers are not ours to fix: their include folders are system folders.
  foreach(module IN LISTS ARGN)
    pkg_check_modules(${module} REQUIRED QUIET IMPORTED_TARGET ${module})
    set_property(GLOBAL APPEND PROPERTY leafwalk_links_${folder} PkgConfig::${module})
  endforeach()
endfunction()

leafwalk_library(base cglm)
leafwalk_library(files libzip)
leafwalk_library(record libpng)
leafwalk_library(platform sdl2)
leafwalk_library(script lua5.4)

add_library(leafwalk_stb INTERFACE)
target_include_directories(leafwalk_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})
set_property(GLOBAL APPEND PROPERTY leafwalk_links_assets leafwalk_stb)
set_property(GLOBAL APPEND PROPERTY leafwalk_links_base Threads::Threads m)
set_property(GLOBAL APPEND PROPERTY leafwalk_links_render leafwalk_glad)
