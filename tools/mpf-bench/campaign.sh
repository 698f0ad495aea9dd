#!/usr/bin/env bash
# One whole run of the bucket benchmark on a machine with a GPU: verifies, times, compares, and
# prints a short table last. Everything else goes to files in OUT.
#
# usage: campaign.sh MPF_BENCH OUT [SECONDS [PART...]]
#   MPF_BENCH  the built binary (it needs the driver and NVRTC, nothing else)
#   OUT        folder for PART.txt, PART.json, PART.html and summary.txt
#   SECONDS    for all chosen parts together (default 540), shared out by their weights; buckets
#              that find no time are reported as skipped
#   PART       default: all, in the order of the table below; a later call may add further parts to
#              the same OUT, the summary then covers all that are there
# MPF_BENCH_DEVICE=cpu|nvrtc|none tries the script without a GPU, MPF_BENCH_LIMIT buckets a set.
set -uo pipefail
[ $# -ge 2 ] || { sed -n '2,12p' "$0" >&2; exit 2; }
bench=$(realpath "$1")
mkdir -p "$2" && out=$(realpath "$2")
seconds=${3:-540}
shift $(($# < 3 ? 2 : 3))
device=${MPF_BENCH_DEVICE:-gpu}
here=$(cd "$(dirname "$0")" && pwd)

random=(--min-ops 1e8) fixed=() few=()
[ "$device" = gpu ] || few=(--limit "${MPF_BENCH_LIMIT:-20}")
if [ "$device" = cpu ]; then
  random=(--min-ops 1e4 --max-ops 1e6) fixed=(--max-ops 1e6)
fi

# PART WEIGHT KIND ARGUMENT...: kind `run` is mpf-bench, `peers` the same buckets through peers.py.
table() {
  cat <<TEXT
ics08 24 run --set ics08 ${random[*]} --export $out/ics08.shapes
ics08-log 16 run --set ics08 ${random[*]} --forms log
canonical 12 run --set canonical --forms linear,log ${fixed[*]} --export $out/canonical.shapes
tccg 8 run --set tccg ${fixed[*]} --export $out/tccg.shapes
ics08-2008 6 run --set ics08 ${random[*]} --limit 100 --family ics08 --types f32
ics08-global 6 run --set ics08 ${random[*]} --limit 100 --layouts global
ics08-warm 4 run --set ics08 ${random[*]} --limit 100 --timing warm
ics08-max 4 run --set ics08 ${random[*]} --limit 100 --semirings max-product,max-sum
max-plus 2 run --set canonical --names pair-cubed --semirings max-sum --types f32 ${fixed[*]}
gems 6 run --set gems --limit 300 --types f64 ${fixed[*]}
peers-canonical 5 peers canonical --forms linear,log
peers-tccg 4 peers tccg --types f64
peers-ics08 5 peers ics08 --limit 40
TEXT
}

# runPart NAME LIMIT KIND ARGUMENT...
runPart() {
  local name=$1 limit=$2 kind=$3 code=0
  shift 3
  echo "== $name: at most $limit s" >&2
  rm -f "$out/$name".{txt,json,html,err,failed}
  case $name in
  ics08-2008 | ics08-global | ics08-warm)
    [ ! -f "$out/ics08.json" ] || set -- "$@" --against "$out/ics08.json"
    ;;
  esac
  if [ "$kind" = run ]; then
    timeout -k 10 $((limit + 60)) "$bench" buckets --device "$device" --total-seconds "$limit" \
      --json "$out/$name.json" --html "$out/$name.html" "$@" "${few[@]}" \
      >"$out/$name.txt" 2>"$out/$name.err" || code=$?
  elif ! python3 -c 'import numpy' 2>/dev/null; then
    echo "no NumPy: not run" >"$out/$name.txt"
  else
    local report=$1
    shift
    timeout -k 10 $((limit + 60)) python3 "$here/peers.py" "$out/$report.shapes" \
      --mpf "$out/$report.json" --json "$out/$name.json" --total-seconds "$limit" --max-bytes 4e9 \
      "$@" >"$out/$name.txt" 2>"$out/$name.err" || code=$?
  fi
  [ $code -eq 0 ] || echo "$name: exit code $code" >"$out/$name.failed"
}

chosen=" ${*:-$(table | cut -d' ' -f1 | tr '\n' ' ')} "
weights=0
while read -r name weight _; do
  case $chosen in *" $name "*) weights=$((weights + weight)) ;; esac
done < <(table)
[ $weights -gt 0 ] || { echo "campaign.sh: no such part:$chosen" >&2; exit 2; }
while read -r name weight arguments; do
  # shellcheck disable=SC2086
  case $chosen in *" $name "*) runPart "$name" $((seconds * weight / weights)) $arguments ;; esac
done < <(table)

{
  grep -h '^# ' "$out"/*.txt | cut -d';' -f1 | sort -u
  while read -r name _; do
    [ -f "$out/$name.txt" ] || continue
    echo
    echo "== $name"
    if grep -q '^set  ' "$out/$name.txt"; then
      sed -n '/^set  /,$p' "$out/$name.txt"
    else
      grep -E '^[a-z0-9]+ f(32|64) .*(buckets[, ]|chain of)|^  floor|NumPy' "$out/$name.txt" ||
        tail -n 3 "$out/$name.err"
    fi
  done < <(table)
  echo
  grep -hE 'WRONG|FAILED' "$out"/*.txt | head -n 20
  cat "$out"/*.failed 2>/dev/null || echo "all parts ended well"
} | tee "$out/summary.txt"
! compgen -G "$out/*.failed" >/dev/null
