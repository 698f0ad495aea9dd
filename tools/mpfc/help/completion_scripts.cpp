#include "tools/mpfc/help/completion_scripts.h"

#include "dsl/support/check.h"

namespace mpf::driver {

namespace {

// bash parts words at '=' and ':' too. The script joins these parts for mpfc, and takes the part in
// front of the cursor's word from each answer. Answers are inserted with quotes: no name in a model
// is a command of the shell.
constexpr std::string_view kBash = R"(# Completes the words of mpfc in bash: mpfc completion bash.
# Sets plain: $1 without quotes; quote: the one that is open; start: where plain goes on behind a
# quote. Nothing is expanded.
_mpfc_unquote() {
  local text=$1 i c next
  plain="" quote="" start=0
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1} next=${text:i+1:1}
    if [[ $c == "$quote" ]]; then
      quote="" start=${#plain}
    elif [[ -z $quote && $c == [\'\"] ]]; then
      quote=$c start=${#plain}
    elif [[ $c == \\ && ( -z $quote || ( $quote == \" && $next == [\\\"\$\`] ) ) ]]; then
      plain+=$next i=$((i + 1))
    else
      plain+=$c
    fi
  done
}
# Adds $1 to COMPREPLY, with backslashes, or as the open quote needs it.
_mpfc_offer() {
  local text=$1 quoted="" i c
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $quote$c in
    "''") quoted+="'\\''" ;;
    '"!') quoted+='"\!"' ;;
    '"'[\\\"\$\`]) quoted+=\\$c ;;
    [\'\"]?) quoted+=$c ;;
    [[:alnum:]_./:=,@%+-]) quoted+=$c ;;
    *) quoted+=\\$c ;;
    esac
  done
  COMPREPLY+=("$quoted")
}
_mpfc_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$1" -- "$2")
}
_mpfc() {
  local i part="" answer plain quote start front
  local -a words=() plains=()
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
  for ((i = 0; i < ${#words[@]}; i++)); do
    _mpfc_unquote "${words[i]}"
    plains+=("$plain")
  done
  front=$plain
  _mpfc_unquote "$part"
  front=${front:0:${#front}-${#plain}+start}
  plain=${plain:start}
  COMPREPLY=()
  while IFS= read -r answer; do
    answer=${answer%%$'\t'*}
    case $answer in
    :files) _mpfc_files -f "$plain" ;;
    :folders) _mpfc_files -d "$plain" ;;
    *)
      [[ $answer == *= ]] && compopt -o nospace 2>/dev/null
      _mpfc_offer "${answer:${#front}}" ;;
    esac
  done < <(command mpfc __complete "${plains[@]}" 2>/dev/null)
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
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for quote in "" "'" '"' # the quote that is open
        if set -l plain (string unescape -- "$typed$quote")
            set typed "$plain"
            break
        end
    end
    for answer in (command mpfc __complete $words[2..-1] "$typed" 2>/dev/null)
        switch $answer
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\n' "$answer"
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
