# The sources of every family of kernels: of its plans (in kernel/) and of its emitters (in emit/).
# Its rows stand in kernel/kernel_plan.h and emit/kernel_emitters.h.
set(MPF_FAMILY_PLAN_SOURCES)
set(MPF_FAMILY_EMITTER_SOURCES)

# mpf_kernel_family(name PLAN source... EMITTER source...)
macro(mpf_kernel_family name)
  cmake_parse_arguments(arg "" "" "PLAN;EMITTER" ${ARGN})
  list(APPEND MPF_FAMILY_PLAN_SOURCES ${arg_PLAN})
  list(APPEND MPF_FAMILY_EMITTER_SOURCES ${arg_EMITTER})
endmacro()

mpf_kernel_family(nest
  PLAN
    build/assemble_plan.cpp
    build/build_nest.cpp
    build/build_pipeline.cpp
    build/build_rows.cpp
    build/build_stream.cpp
    build/build_tag.cpp
    build/build_tile.cpp
    build/candidates.cpp
    build/conflict_free_strides.cpp
    build/segment_layout.cpp
    cost/cost_instructions.cpp
    cost/cost_traffic.cpp
    plan/verify_nest.cpp
    plan/verify_segment.cpp
    text/print_nest.cpp
    text/read_nest.cpp
  EMITTER
    nest/emit_nest.cpp
    nest/nest.cpp
    nest/nest_emitter.cpp
    nest/pipeline_emitter.cpp
    nest/plan_comment.cpp
    nest/stage_emitter.cpp
    nest/staging.cpp
    nest/underflow_recompute.cpp)
mpf_kernel_family(matrix
  PLAN
    build/build_matrix.cpp
    cost/cost_matrix.cpp
    form/operand_grouping.cpp
    plan/matrix_shape.cpp
    plan/verify_matrix.cpp
    text/print_matrix.cpp
    text/read_matrix.cpp
  EMITTER
    matrix/emit_matrix.cpp
    matrix/matrix_fetch.cpp
    matrix/matrix_names.cpp
    matrix/matrix_pages.cpp
    matrix/matrix_product.cpp
    matrix/matrix_store.cpp)
mpf_kernel_family(chain
  PLAN
    build/assemble_chain.cpp
    build/build_chain.cpp
    cost/chain_cost.cpp
    plan/chain_layout.cpp
    plan/chain_shape.cpp
    plan/verify_chain.cpp
    text/print_chain.cpp
    text/read_chain.cpp
  EMITTER
    chain/chain_emitter.cpp
    chain/emit_chain.cpp)
