# The fonts of Debian's fonts-dejavu-core, copied into the build's fonts/ at configure time (we ship none).
file(GLOB font_files /usr/share/fonts/truetype/dejavu/*.ttf)
if(NOT font_files)
  message(WARNING "no fonts: Debian's package fonts-dejavu-core is missing; drop a .ttf file into fonts/ instead")
endif()
file(COPY ${font_files} DESTINATION ${CMAKE_BINARY_DIR}/fonts)
