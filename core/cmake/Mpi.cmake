# MPI, for computations shared by several processes. Sets DUBITO_HAS_MPI.

set(DUBITO_HAS_MPI OFF)
if(DUBITO_MPI)
  set(MPI_CXX_SKIP_MPICXX ON) # only the C interface is used
  find_package(MPI QUIET COMPONENTS CXX)
  set_package_properties(MPI PROPERTIES PURPOSE "computations shared by several processes (mpirun, srun)")
  set(DUBITO_HAS_MPI ${MPI_CXX_FOUND})
endif()
add_feature_info("several processes" DUBITO_HAS_MPI "mpirun dubito-cli predict ... (MPI)")
