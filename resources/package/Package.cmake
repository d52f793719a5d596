# Install rules, and the Debian package (cpack --preset release). LibTorch is not part of it. Programs that need LibTorch
# are in lib/dubito, next to the libraries that they load at run time; bin has a launcher for each, which reports how to
# get LibTorch if it is missing.

set(_package ${CMAKE_CURRENT_LIST_DIR})
set(_parts ${PROJECT_BINARY_DIR}/package)
set(_home lib/dubito)

foreach(_header csrc/api/include/torch/version.h headeronly/version.h) # the second since 2.9
  if(EXISTS ${DUBITO_TORCH_ROOT}/include/torch/${_header})
    file(STRINGS ${DUBITO_TORCH_ROOT}/include/torch/${_header} _torch_version
         REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
  endif()
endforeach()
list(TRANSFORM _torch_version REPLACE "[^0-9]+" "")
list(JOIN _torch_version . DUBITO_TORCH_VERSION)

# --- Programs and the libraries that they load

# Build only package_parts before installing; `all` includes the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target package_parts
                              COMMAND_ERROR_IS_FATAL ANY)")

set(_commands dubito-cli)
set(_launched dubito-cli-networks)
if(TARGET dubito)
  list(APPEND _commands dubito)
  list(APPEND _launched dubito)
endif()
set(_libraries)
foreach(_library dubito_cuda dubito_mpi_ranks dubito_photographs)
  if(TARGET ${_library})
    list(APPEND _libraries ${_library})
  endif()
endforeach()
# The version is part of the name: a package built for a newer LibTorch must not load an older one.
set(_torch "$ORIGIN/torch-${DUBITO_TORCH_VERSION}/torch")
set_target_properties(${_launched} ${_libraries} PROPERTIES INSTALL_RPATH ${_torch}/lib)
set(_cudart_dir)
if(TARGET dubito_cuda)
  cmake_path(GET DUBITO_CUDART PARENT_PATH _cudart_dir)
  file(RELATIVE_PATH _cudart_from_torch ${DUBITO_TORCH_ROOT} ${_cudart_dir})
  set_target_properties(dubito_cuda PROPERTIES INSTALL_RPATH "${_torch}/lib;${_torch}/${_cudart_from_torch}")
endif()
# This one needs no LibTorch and finds dubito-cli-networks next to itself.
set_target_properties(dubito-cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${_home}")
install(TARGETS dubito-cli)
install(TARGETS ${_launched} ${_libraries} RUNTIME DESTINATION ${_home} LIBRARY DESTINATION ${_home})

configure_file(${_package}/launch.sh.in ${_parts}/launch @ONLY)
configure_file(${_package}/dubito-setup.in ${_parts}/dubito-setup @ONLY)
install(PROGRAMS ${_parts}/launch ${_parts}/dubito-setup DESTINATION ${_home})
file(REMOVE_RECURSE ${_parts}/links)
file(MAKE_DIRECTORY ${_parts}/links/bin ${_parts}/links/${_home} ${_parts}/links/share/man/man1)
foreach(_program IN LISTS _launched)
  file(CREATE_LINK ../${_home}/launch ${_parts}/links/bin/${_program} SYMBOLIC)
endforeach()
file(CREATE_LINK ../${_home}/dubito-setup ${_parts}/links/bin/dubito-setup SYMBOLIC)
# The window looks for dubito-cli next to itself.
file(CREATE_LINK ../../bin/dubito-cli ${_parts}/links/${_home}/dubito-cli SYMBOLIC)
file(CREATE_LINK dubito-cli.1.gz ${_parts}/links/share/man/man1/dubito-cli-networks.1.gz SYMBOLIC)
install(DIRECTORY ${_parts}/links/ DESTINATION .)

# --- Man pages and completion, from what the programs print with --help

find_package(Python3 COMPONENTS Interpreter)
set(_pages)
foreach(_command IN LISTS _commands ITEMS dubito-setup)
  if(TARGET ${_command})
    set(_program $<TARGET_FILE:${_command}>)
  else()
    set(_program ${_parts}/${_command})
  endif()
  add_custom_command(
    OUTPUT ${_parts}/man/${_command}.1.gz ${_parts}/completions/${_command}
    COMMAND ${Python3_EXECUTABLE} ${_package}/make_pages.py ${_program} --version ${PROJECT_VERSION} --more
            ${_package}/man/${_command}.mdoc --man ${_parts}/man/${_command}.1.gz --completion
            ${_parts}/completions/${_command}
    DEPENDS ${_program} ${_package}/make_pages.py ${_package}/man/${_command}.mdoc
    COMMENT "Writing the man page and the completion of ${_command}"
    VERBATIM)
  list(APPEND _pages ${_parts}/man/${_command}.1.gz ${_parts}/completions/${_command})
endforeach()
install(DIRECTORY ${_parts}/man/ DESTINATION share/man/man1)
install(DIRECTORY ${_parts}/completions/ DESTINATION share/bash-completion/completions)

# --- Samples, documents, and what a desktop shows

# The maintainer, as dpkg-buildpackage takes it.
set(CPACK_PACKAGE_CONTACT "Dubito maintainers <maintainers@dubito.invalid>")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
find_program(GZIP gzip REQUIRED)
string(TIMESTAMP _built "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(
  CONFIGURE
  OUTPUT ${_parts}/changelog
  CONTENT "dubito (@PROJECT_VERSION@) unstable; urgency=medium

  * The changes are in CHANGELOG.md.gz.

 -- @CPACK_PACKAGE_CONTACT@  @_built@
"
  @ONLY)
set(_documents)
foreach(_document ${_parts}/changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  cmake_path(GET _document FILENAME _name)
  add_custom_command(
    OUTPUT ${_parts}/${_name}.gz
    COMMAND ${GZIP} -9nc ${_document} > ${_parts}/${_name}.gz
    DEPENDS ${_document}
    VERBATIM)
  list(APPEND _documents ${_parts}/${_name}.gz)
endforeach()
install(FILES ${_package}/copyright ${_documents} DESTINATION share/doc/dubito)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/datasets/samples/ DESTINATION share/dubito/samples)
if(TARGET dubito)
  install(FILES ${_package}/dubito.desktop DESTINATION share/applications)
  install(FILES ${_package}/mime.xml DESTINATION share/mime/packages RENAME dubito.xml)
  install(FILES ${_package}/dubito.svg DESTINATION share/icons/hicolor/scalable/apps)
  install(FILES ${_package}/dubito-128.png DESTINATION share/icons/hicolor/128x128/apps RENAME dubito.png)
endif()
add_custom_target(package_parts DEPENDS dubito-cli ${_launched} ${_libraries} ${_pages} ${_documents})

# --- The Debian package

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dubito)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for the uncertainty of trained networks")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Dubito opens a trained network and images, computes uncertainty (MC dropout,
Laplace, ensembles, temperature scaling) and shows which predictions are
confident, which are guesses, and which are confident and wrong. The package
has a window (dubito) and a command line (dubito-cli).

LibTorch ${DUBITO_TORCH_VERSION} is not part of the package: dubito-setup downloads it, or
links to an existing copy.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${DUBITO_TORCH_ROOT}/lib ${_cudart_dir})
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
# libpq5 is loaded when a label store on a server is opened.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-venv, qt6-wayland, libpq5")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin, zenity | kdialog")
configure_file(${_package}/postinst.in ${_parts}/postinst @ONLY)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${_parts}/postinst ${_package}/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
