#!/bin/sh
# ship_kernels.sh MPFC FOLDER [sm_NN...]: compiles the kernels that run any model into FOLDER, for
# these GPUs, or for that of this machine. A GPU that NVRTC does not know, being older, is left out
# with a note: the first run on one compiles them. So it is without NVRTC. A machine without a GPU needs
# none of them.
mpfc=$1 folder=$2
shift 2
fill() {
    said=$("$mpfc" cache fill --folder "$folder" "$@" 2>&1)
    code=$?
    if [ $# -eq 0 ] && [ $code -eq 5 ]; then # the exit code of a device that is not there
        echo "no GPU was found here: no machine code is made for one"
        return
    fi
    echo "$said"
    [ $code -eq 0 ] ||
        echo "no machine code for ${*:-the GPU of this machine} was made: the first run on one compiles it"
}
[ $# -gt 0 ] || fill
for arch; do
    fill "--arch=$arch"
done
