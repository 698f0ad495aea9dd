#include "tools/mpfc/help/completion_scripts.h"

#include "dsl/support/check.h"

namespace mpf::driver {

namespace {

// bash parts words at '=' and ':' too. The script joins these parts for mpfc, and takes the part in
// front of the cursor's word from each answer.
constexpr std::string_view kBash = R"(# Completes the words of mpfc in bash: mpfc completion bash.
_mpfc() {
  local IFS=$'\n' i part="" answer last
  local -a words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    part=${COMP_WORDS[i]}
    if ((${#words[@]})) && { [[ $part == [=:]* && $part != ::* ]] || [[ ${COMP_WORDS[i-1]} == [=:] ]]; }
    then
      words[${#words[@]}-1]+=$part
    else
      words+=("$part")
    fi
  done
  [[ $part == [=:] ]] && part=""
  last=${words[${#words[@]}-1]}
  local front=${last%"$part"}
  [[ $last == [\'\"]* ]] && last=${last:1} && front="" && words[${#words[@]}-1]=$last
  COMPREPLY=()
  for answer in $(command mpfc __complete "${words[@]}" 2>/dev/null); do
    answer=${answer%%$'\t'*}
    case $answer in
    :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$part")) ;;
    :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$part")) ;;
    *)
      [[ $answer == *= ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${answer#"$front"}") ;;
    esac
  done
}
complete -F _mpfc mpfc
)";

constexpr std::string_view kZsh = R"(#compdef mpfc
# Completes the words of mpfc in zsh: mpfc completion zsh.
_mpfc() {
  local line word
  local -a given plain shown open opened
  given=("${(@Q)words[2,CURRENT]}")
  for line in "${(@f)$(command mpfc __complete "${given[@]}" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    case $word in
    '') ;;
    :files) _files ;;
    :folders) _files -/ ;;
    *=) open+=("$word"); opened+=("$word -- ${line#*$'\t'}") ;;
    *) plain+=("$word"); shown+=("$word -- ${line#*$'\t'}") ;;
    esac
  done
  ((${#plain})) && compadd -l -d shown -- "${plain[@]}"
  ((${#open})) && compadd -l -S '' -d opened -- "${open[@]}"
  return 0
}
if [[ $funcstack[1] == _mpfc ]]; then _mpfc "$@"; else compdef _mpfc mpfc; fi
)";

constexpr std::string_view kFish = R"(# Completes the words of mpfc in fish: mpfc completion fish.
function __mpfc_words
    set -l words (commandline -opc) (commandline -ct)
    for answer in (command mpfc __complete $words[2..-1] 2>/dev/null)
        switch $answer
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $answer
        end
    end
end
complete -c mpfc -f -a '(__mpfc_words)'
)";

} // namespace

std::string_view completionScript(std::string_view shell) {
  if (shell == "bash")
    return kBash;
  if (shell == "zsh")
    return kZsh;
  MPF_CHECK(shell == "fish", "there is no script for {}", shell);
  return kFish;
}

} // namespace mpf::driver
