# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for fish, read off schedlab's own --help: commands stand two blanks in, options begin with a dash.

function __schedlab_words
    set -l words (commandline -opc)[2..]
    set -l commands
    for word in $words
        string match -q -- '-*' $word; and break
        set commands $commands $word
    end
    schedlab $commands[1..2] --help 2>/dev/null | string match -ar -- '^  [a-z][a-z0-9-]+ |(?:^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | string trim -c ' ,'
end

complete -c schedlab -a '(__schedlab_words)'
