# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for bash, read off schedlab's own --help: commands stand two blanks in, options begin with a dash.

_schedlab_words() { # of `schedlab ARGUMENTS --help`: commands and options
    schedlab "$@" --help 2>/dev/null | grep -oE -e '^  [a-z][a-z0-9-]+ ' -e '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,'
}

_schedlab() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} commands=() w
    case $previous in
        --machine | -m) COMPREPLY=($(compgen -W "$(schedlab machine list 2>/dev/null | awk '{ print $1 }')" -- "$word")); return ;;
        --load) COMPREPLY=($(compgen -W "$(_schedlab_words bench | grep -v ^-)" -- "$word")); return ;;
        --job | --tree | --patches | --config | --json | --db | --kernel | --events | --perfetto) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    # The command, and the command within it (`kernel build`), if they are complete.
    for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $w == -* || ${#commands[@]} -ge 2 ]] && break
        commands+=("$w")
    done
    COMPREPLY=($(compgen -W "$(_schedlab_words "${commands[@]}" || _schedlab_words "${commands[0]}")" -- "$word"))
}
complete -o default -F _schedlab schedlab
