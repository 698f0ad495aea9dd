# Writes BUILD/archives.cmake: the libraries and mpfc of this build as imported targets, each with what it links.
# The Python package links them where MPF_PREBUILT names the build (runtime/python/CMakeLists.txt).
get_property(archives GLOBAL PROPERTY mpf_archives)
export(TARGETS ${archives} mpf_options mpfc FILE ${PROJECT_BINARY_DIR}/archives.cmake)
