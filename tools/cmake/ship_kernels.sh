#!/bin/sh
# ship_kernels.sh MPFC FOLDER [sm_NN...]: compiles the table-driven kernels into FOLDER, for these GPUs,
# or for the GPU of this machine. Without NVRTC, or for a GPU that NVRTC does not know, it prints a note:
# the first run on such a GPU compiles them. A machine without a GPU needs no kernels.
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
