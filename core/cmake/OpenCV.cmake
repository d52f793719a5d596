# OpenCV's CMake package is only in the 370 MB libopencv-dev, so the three small packages are searched for here.

find_path(DUBITO_OPENCV_INCLUDE opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
find_path(DUBITO_OPENCV_MODULES opencv2/opencv_modules.hpp PATH_SUFFIXES opencv4 ${CMAKE_LIBRARY_ARCHITECTURE}/opencv4)
foreach(_name core imgproc imgcodecs)
  find_library(DUBITO_OPENCV_${_name} opencv_${_name})
  if(NOT DUBITO_OPENCV_${_name} OR NOT DUBITO_OPENCV_INCLUDE OR NOT DUBITO_OPENCV_MODULES)
    message(FATAL_ERROR "OpenCV (${_name}) was not found: install libopencv-core-dev libopencv-imgproc-dev "
                        "libopencv-imgcodecs-dev, or build without photographs (-DDUBITO_OPENCV=OFF).")
  endif()
  add_library(opencv::${_name} SHARED IMPORTED)
  set_target_properties(
    opencv::${_name}
    PROPERTIES IMPORTED_LOCATION ${DUBITO_OPENCV_${_name}}
               INTERFACE_INCLUDE_DIRECTORIES "${DUBITO_OPENCV_INCLUDE};${DUBITO_OPENCV_MODULES}")
endforeach()
