#!/usr/bin/env bash
# Drives Helix in tmux against `steerbox lsp`, in a project written by `steerbox new`, and reads its screen. With a window of
# the project on the display, live values are checked, too. Needs hx (of 2026, which asks about trust), tmux, a C compiler
# and steerbox in PATH:
#   tests/editors/helix.sh [live]
set -euo pipefail

grammar=$(cd "$(dirname "$0")/../../editors/tree-sitter-steerbox" && pwd)
work=$(mktemp -d)
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache TERM=xterm-256color
tmux=(tmux -f /dev/null -S "$work/tmux")

finish() {
    "${tmux[@]}" kill-server 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

screen() { "${tmux[@]}" capture-pane -p; }
keys() { "${tmux[@]}" send-keys -- "$@"; }
# command TEXT: runs a command of Helix.
command() { keys ":$1" Enter; }

# until_true NAME COMMAND…: polls until the command succeeds, 20 seconds at most.
until_true() {
    local name=$1 end=$((SECONDS + 20))
    shift
    until "$@"; do
        if [ $SECONDS -ge $end ]; then
            echo "$name: failed"
            screen
            exit 1
        fi
        sleep 0.05
    done
    echo "$name: ok"
}
shows() { screen | grep -qE -- "$1"; }
hides() { ! shows "$1"; }
normal() { shows '^ NOR ' && hides '[┌└]'; }
# escape: leaves menus and insertion; Helix reads a key that follows at once as one with Alt.
escape() {
    keys Escape
    until_true "after Escape" normal
}

# As docs/editors.md describes it.
mkdir -p "$XDG_CONFIG_HOME"/helix/runtime/{grammars,queries/rhai} "$XDG_DATA_HOME"
cat > "$XDG_CONFIG_HOME/helix/config.toml" <<'TOML'
[editor.lsp]
display-inlay-hints = true
TOML
cat > "$XDG_CONFIG_HOME/helix/languages.toml" <<TOML
use-grammars = { only = ["steerbox"] }

[[grammar]]
name = "steerbox"
source = { path = "$grammar" }
TOML
cp "$grammar"/queries/*.scm "$XDG_CONFIG_HOME/helix/runtime/queries/rhai"
hx --grammar build

gone() { ! "${tmux[@]}" has-session 2>/dev/null; }
start() { "${tmux[@]}" new-session -d -x 160 -y 50 hx scripts/together.rhai; }
start
until_true "trust menu" shows 'Trust this workspace'
keys Enter
until_true "trusted" hides 'Trust'
command quit
until_true "quit" gone
start
until_true "restart" shows '^ NOR '

# The keyword `const` at the start of line 8.
keys '8gg'
command tree-sitter-highlight-name
until_true "highlighting" shows 'keyword'
escape

keys '/neighbors' Enter 'cneighbours'
until_true "diagnostics" shows 'not a property of me'
escape
keys ' a'
until_true "code action" shows 'write `neighbors`'
keys Enter
until_true "fix" shows 'let mates = me\.neighbors\.within'
until_true "no diagnostics" hides 'not a property of me'

keys '8gg/neighbors' Enter ' k'
until_true "hover" shows 'List'
escape
keys 'ome.neighbors.'
until_true "completion" shows 'mean_position +'
escape
keys 'u'

keys '8gg/SHARE' Enter ' r'
until_true "name" shows 'rename'
keys C-u 'PART' Enter
until_true "rename" shows 'const PART'
until_true "renamed uses" shows '1\.0 - PART\) \+ toward \* PART'

if [ "${1:-}" = live ]; then
    command 'lsp-workspace-command steerbox.selectUnit 5'
    until_true "hints" shows 'let mates = .*;.*[0-9]+ units'
fi
command 'quit!'
echo "helix: ok"
