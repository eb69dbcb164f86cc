#!/usr/bin/env bash
# The window, tried as a user would: it opens, a save shows, a broken save changes nothing but a
# message, sliders drag, it resizes and closes, and it answers while a step takes seconds. Needs Xvfb,
# openbox, xdotool, ImageMagick, xprop, xwininfo and xclip.
set -euo pipefail

program=${1:-target/debug/steerbox}
program=$(realpath "$program")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
pictures=${STEERBOX_TEST_PICTURES:-$work}
mkdir -p "$pictures"
pids=()
passed=0
# In a window of 1280 by 800: the middle of the world, the button that pauses, a gain's slider.
middle_x=479 middle_y=342
pause_x=130 pause_y=699
gain_y=242
# The middle of the timeline, and the color of its rail where it was.
timeline_y=699 rail_color="rgb(30,53,81)"
# The letter that names the second of two runs, and its color.
second_x=503 second_y=28 letter_color="rgb(82,168,255)"

finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "window test failed: $1" >&2
    cat "$work/log" >&2 || true
    tail -n 5 "$work/events" >&2 || true
    exit 1
}

# wait_for WHAT SECONDS COMMAND…: polls until the command succeeds.
wait_for() {
    local what=$1 until=$((SECONDS + $2))
    shift 2
    until "$@"; do
        [ $SECONDS -lt $until ] || fail "$what"
        sleep 0.05
    done
    passed=$((passed + 1))
    echo "ok: $what"
}

events() { grep -c "$1" "$work/events" 2>/dev/null || true; }
more_events() { [ "$(events "$1")" -gt "$2" ]; }
# shot NAME: a picture of what the screen shows where the window is. The window itself cannot be read
# while its manager moves, maps or frames it; the screen always can.
shot() {
    local x y width height
    read -r x y width height < <(xwininfo -id "$window" | awk '
        /Absolute upper-left X/ { x = $NF } /Absolute upper-left Y/ { y = $NF }
        /^ *Width:/ { width = $NF } /^ *Height:/ { print x, y, width, $NF }')
    import -window root -crop "${width}x$height+$x+$y" +repage "$pictures/$1.png"
}
colors() { identify -format '%k' "$1"; }
click() { xdotool mousemove --window "$window" "$1" "$2" mousedown 1; sleep 0.08; xdotool mouseup 1; sleep 0.08; }
# quick X Y: a press and a release without any time between them.
quick() { xdotool mousemove --window "$window" "$1" "$2" click "${3:-1}"; }
# holds NAME COLOR X Y SIZE: whether a picture of the window has that color around a place.
holds() {
    shot "$1"
    convert "$pictures/$1.png" -crop "$5x$5+$(($3 - $5 / 2))+$(($4 - $5 / 2))" +repage -alpha off \
        -fuzz 3% -fill black +opaque "$2" -format '%[fx:mean>0]' info: | grep -q 1
}
lacks() { ! holds "$@"; }
managed() { xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'; }
display_is_there() { xdotool getdisplaygeometry >/dev/null 2>&1; }
find_window() { window=$(xdotool search --name 'steerbox$' 2>/dev/null | tail -n 1) && [ -n "$window" ]; }
# drawn NAME: whether a picture of the window is more than a few plain areas.
drawn() { shot "$1"; [ "$(colors "$pictures/$1.png")" -gt 200 ]; }
saved() { ! cmp -s before.ron scenes/flock.ron; }
titled() { xdotool getwindowname "$window" | grep -q "$1"; }
# The next window opens as the very first one, but with a log of one height, for the places below.
forget() {
    rm -rf "$XDG_CONFIG_HOME"
    mkdir -p "$XDG_CONFIG_HOME/steerbox"
    echo "(panes: (log: (height: 58)))" >"$XDG_CONFIG_HOME/steerbox/window.ron"
}
gone() { ! kill -0 "$1" 2>/dev/null; }
# The word "paused" in the corner of the world, left of the panel; the line below it is of a step that takes long.
paused() {
    shot paused
    local left=$(($(identify -format %w "$pictures/paused.png") - 450))
    convert "$pictures/paused.png" -crop "130x24+$left+4" +repage txt:- | grep -i 'ffc15e' >/dev/null
}
running() { ! paused; }
ticks() { awk '{ print $14 + $15 }' "/proc/$app/stat"; }
# cost WHAT: what the program takes of a core during two seconds; a figure, not a check.
cost() {
    local before
    before=$(ticks)
    sleep 2
    echo "note: $1: $((($(ticks) - before) * 50 / $(getconf CLK_TCK))) % of a core"
}
wide() { [ "$(xdotool getwindowgeometry --shell "$window" | sed -n 's/WIDTH=//p')" = "$1" ]; }

Xvfb -displayfd 3 -screen 0 1500x1000x24 3>"$work/display" >/dev/null 2>&1 & pids+=($!)
wait_for "a display is given" 20 test -s "$work/display"
DISPLAY=:$(cat "$work/display")
export DISPLAY
wait_for "the display is there" 20 display_is_there
openbox >/dev/null 2>&1 & pids+=($!)
wait_for "windows are managed" 20 managed

cp -r "$root/scenes" "$root/scripts" "$work/"
cd "$work"
export XDG_CONFIG_HOME="$work/config"
forget
"$program" scenes/flock.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
wait_for "the window opens" 30 find_window
wait_for "all files go live" 20 more_events '"event":"live"' 5
wait_for "the world is drawn" 20 drawn start

before=$(events '"event":"live","generation":2')
sed -i 's/const REACH = param(2000.0/const REACH = param(1900.0/' scripts/cohesion.rhai
wait_for "a saved script goes live" 10 more_events '"generation":2' "$before"

before=$(events '"event":"rejected"')
cp scripts/cohesion.rhai good
sed 's/let mates = /let mates /' good >scripts/cohesion.rhai
wait_for "a syntax error is rejected" 10 more_events '"event":"rejected"' "$before"
before=$(events '"event":"rejected"')
sed 's/^fn steer(me, world) {/&\n    loop { }/' good >scripts/cohesion.rhai
wait_for "an endless loop is rejected" 10 more_events '"event":"rejected"' "$before"
sleep 0.3
shot rejected
before=$(events '"path":"cohesion.rhai"')
cp good scripts/cohesion.rhai
wait_for "the mended script is live" 10 more_events '"path":"cohesion.rhai"' "$before"

before=$(events '"event":"reconciled"')
sed -i 's/count: 90/count: 120/; s/obstacles: \[/&\n        Circle(center: (600, 150), radius: 40),/' scenes/flock.ron
wait_for "a saved scene is reconciled" 10 more_events '"event":"reconciled"' "$before"
before=$(events '"event":"rejected"')
sed -i 's/"starling": Mover/"starlin": Mover/' scenes/flock.ron
wait_for "a typo in the scene is rejected" 10 more_events '"event":"rejected"' "$before"

before=$(events '"path":"flock.ron"')
sed -i 's/"starlin": Mover/"starling": Mover/' scenes/flock.ron
wait_for "the mended scene is live" 10 more_events '"path":"flock.ron"' "$before"
cp scenes/flock.ron before.ron
# A gain and an obstacle are dragged, and both saved: each release and the key after it may come in while one frame
# takes long.
slider_color="rgb(44,96,158)" solid_color="rgb(50,63,92)"
drag_from() { xdotool mousemove --window "$window" "$1" "$2" mousedown 1; }
drag_to() { xdotool mousemove --window "$window" "$1" "$2"; }
lacks ungained "$slider_color" 1124 "$gain_y" 4 || fail "the gain is small"
drag_from 1092 "$gain_y"
drag_to 1130 "$gain_y"
wait_for "a gain is dragged" 10 holds gained "$slider_color" 1124 "$gain_y" 4
xdotool mouseup 1
drag_from 296 215
drag_to 350 215
wait_for "an obstacle is dragged" 10 holds dragged "$solid_color" 350 215 4
kill -STOP "$app"
xdotool mouseup 1
xdotool key --window "$window" ctrl+s
kill -CONT "$app"
wait_for "what is tuned is saved" 10 saved
[ "$(diff before.ron scenes/flock.ron | grep -c '^>')" = 2 ] || fail "two lines change: a gain and a place"
xdotool key --window "$window" h
sleep 0.4
shot help
xdotool key --window "$window" h
xdotool windowsize "$window" 1000 640
wait_for "the window takes a new size" 10 wide 1000
sleep 0.5
shot resized
kill -0 "$app" || fail "it is still there"

cost "running"
xdotool key --window "$window" space
wait_for "the window pauses" 10 paused
cost "paused"
xdotool key --window "$window" space
wait_for "it runs again" 10 running
xdotool windowminimize --sync "$window"
sleep 0.5
cost "minimized, the simulation runs"
xdotool windowmap --sync "$window"
wait_for "it is drawn again" 10 drawn again

xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "closing the window ends the program" 10 gone "$app"
wait "$app" || fail "it ends without an error"
wait_for "its size is remembered" 5 grep -q "window: Some((1000, 640))" "$XDG_CONFIG_HOME/steerbox/window.ron"

# A scene that is broken at the start is waited for; then clicks of no duration, in a world whose one
# unit stands in the middle.
mkdir -p still/scripts
echo 'fn steer(me, world) { if world.target == () { return (); } 0.0 }' >still/scripts/aim.rhai
printf '(world: Plane(size: (800, 600)),\n' >still/still.ron
: >events
forget
"$program" still/still.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "a broken scene opens the window" 30 find_window
wait_for "it is told" 10 more_events '"event":"rejected","generation":0' 0
sleep 0.5
shot broken
cat >still/still.ron <<'SCENE'
(
    world: Plane(size: (800, 600)),
    bodies: {"rock": Mover(length: 30, width: 30, max_speed: 0.001, desired_speed: 0)},
    groups: [(name: "rocks", body: "rock", spawn: At([(position: (400, 300), velocity: (0, 0))]),
        behaviors: [(script: "aim")], look: (shape: Dot, color: "#ff0000"))],
    obstacles: [Circle(center: (700, 100), radius: 60)],
)
SCENE
wait_for "fixed, it goes live" 10 more_events '"event":"live","generation":1' 1
wait_for "its unit is there" 10 holds still "rgb(255,0,0)" "$middle_x" "$middle_y" 12
select_color="rgb(120,220,255)" target_color="rgb(255,196,92)"
lacks still "$select_color" "$middle_x" "$middle_y" 80 || fail "nothing is selected"
for turn in 1 2 3; do
    quick "$middle_x" "$middle_y"
    wait_for "quick click $turn selects" 5 holds selected "$select_color" "$middle_x" "$middle_y" 80
    quick 300 480
    wait_for "quick click $turn deselects" 5 lacks deselected "$select_color" "$middle_x" "$middle_y" 80
done
lacks untouched "$target_color" 300 480 40 || fail "a click sets no target"
xdotool keydown Shift_L
quick 300 480
xdotool keyup Shift_L
wait_for "a quick click with Shift sets the target" 5 holds target "$target_color" 300 480 40
quick 200 200 3
wait_for "a quick right click moves it" 5 holds moved "$target_color" 200 200 40
xdotool key --window "$window" BackSpace
wait_for "and a key clears it" 5 lacks cleared "$target_color" 200 200 40
xdotool key --window "$window" ctrl+z
wait_for "undo brings it back" 5 holds undone "$target_color" 200 200 40
xdotool key --window "$window" BackSpace
wait_for "and a key clears it again" 5 lacks again "$target_color" 200 200 40
# The list of all commands, by keys alone; the condition to pause when; Space beside a focused button.
xdotool key --window "$window" ctrl+k
sleep 0.3
shot commands
xdotool type --delay 40 "pause or"
xdotool key --window "$window" Return
wait_for "a command is found by its letters and carried out" 5 holds listed "$target_color" 920 18 60
xdotool key --window "$window" space
wait_for "a key resumes" 5 lacks resumed "$target_color" 920 18 60
xdotool key --window "$window" ctrl+k
sleep 0.3
xdotool type --delay 40 "pause when"
xdotool key --window "$window" Return
sleep 0.3
xdotool type --delay 40 "step > 0"
xdotool key --window "$window" Return
wait_for "it pauses when a condition is true" 5 holds when "$target_color" 920 18 60
xdotool key --window "$window" Tab
sleep 0.2
xdotool key --window "$window" space
wait_for "Space resumes although a button has the focus" 5 lacks focused "$target_color" 920 18 60
xdotool key --window "$window" Escape
# Units by hand: thrown, copied, removed, added, and each undone.
ctrl_drag() {
    xdotool mousemove --window "$window" "$1" "$2"
    xdotool keydown Control_L
    sleep 0.1
    xdotool mousedown 1
    for part in 1 2 3 4; do
        xdotool mousemove --window "$window" $(($1 + ($3 - $1) * part / 4)) $(($2 + ($4 - $2) * part / 4))
        sleep 0.05
    done
    xdotool mouseup 1
    xdotool keyup Control_L
}
red="rgb(255,0,0)"
ctrl_drag "$middle_x" "$middle_y" 300 480
wait_for "a drag with Ctrl throws a unit" 5 holds thrown "$red" 300 480 40
lacks thrown "$red" "$middle_x" "$middle_y" 40 || fail "it is no longer where it was"
xdotool key --window "$window" ctrl+z
wait_for "undo takes the throw back" 5 holds unthrown "$red" "$middle_x" "$middle_y" 12
xdotool mousemove --window "$window" 200 200
sleep 0.1
xdotool key --window "$window" Insert
wait_for "a key adds a unit at the pointer" 5 holds added "$red" 200 200 12
xdotool key --window "$window" Delete
wait_for "a key removes what is selected" 5 lacks removed "$red" 200 200 40
xdotool key --window "$window" ctrl+z
wait_for "undo brings it back where it was" 5 holds unremoved "$red" 200 200 12
xdotool key --window "$window" ctrl+z
wait_for "and undoes that it was added" 5 lacks unadded "$red" 200 200 40
quick "$middle_x" "$middle_y"
wait_for "a click still selects" 5 holds selected "$select_color" "$middle_x" "$middle_y" 80
xdotool key --window "$window" ctrl+d
wait_for "a key copies what is selected" 5 holds copied "$red" 525 372 40
xdotool key --window "$window" ctrl+z
wait_for "undo removes the copy" 5 lacks uncopied "$red" 525 372 30
quick 300 480
# A click and a key that come in while one frame takes long keep their order.
sleep 0.2
kill -STOP "$app"
quick "$middle_x" "$middle_y"
xdotool key --window "$window" Delete
kill -CONT "$app"
wait_for "a click and a key that come together: the click first" 5 lacks clicked "$red" "$middle_x" "$middle_y" 12
xdotool key --window "$window" ctrl+z
wait_for "undo brings back what was clicked" 5 holds unclicked "$red" "$middle_x" "$middle_y" 12
quick "$middle_x" "$middle_y"
wait_for "it is selected" 5 holds reselected "$select_color" "$middle_x" "$middle_y" 80
kill -STOP "$app"
xdotool key --window "$window" Delete
quick 300 480
kill -CONT "$app"
wait_for "a key and a click that come together: the key first" 5 lacks keyed "$red" "$middle_x" "$middle_y" 12
xdotool key --window "$window" ctrl+z
wait_for "undo brings it back, too" 5 holds unkeyed "$red" "$middle_x" "$middle_y" 12
# The rim of a circle: it becomes larger, undo makes it smaller, and the scene's file holds it.
rim() {
    xdotool mousemove --window "$window" 736 557
    sleep 0.1
    xdotool mousedown 1
    for x in 727 717 707 702; do xdotool mousemove --window "$window" "$x" 557; sleep 0.05; done
    xdotool mouseup 1
    sleep 0.3
    xdotool key --window "$window" ctrl+s
}
radius() { grep -q "radius: $1" still/still.ron; }
rim
wait_for "a drag of its rim makes a circle larger" 10 radius 9
xdotool key --window "$window" ctrl+z
sleep 0.3
xdotool key --window "$window" ctrl+s
wait_for "undo makes it as large as before" 10 radius 60
# A polygon drawn corner by corner, duplicated, removed; each is undone, and the scene's file holds it.
# The inside of obstacles.
fill_color="rgb(50,63,92)"
xdotool key --window "$window" shift+p
for corner in "150 150" "250 150" "250 250" "150 250"; do
    click $corner
done
wait_for "an edge is drawn between two corners" 5 holds sketch "$select_color" 200 150 12
xdotool key --window "$window" Return
wait_for "a key makes it an obstacle, which is selected" 5 holds polygon "$select_color" 150 200 12
xdotool key --window "$window" ctrl+d
wait_for "a key copies it" 5 holds doubled "$select_color" 274 224 12
lacks doubled "$select_color" 150 200 12 || fail "the copy is the selected one"
xdotool key --window "$window" Delete
wait_for "a key removes the copy" 5 lacks single "$select_color" 274 224 12
quick 200 200
wait_for "a click selects an obstacle" 5 holds picked "$select_color" 150 200 12
xdotool key --window "$window" Delete
wait_for "a key removes it" 5 lacks gone "$select_color" 150 200 12
xdotool key --window "$window" ctrl+z
wait_for "undo brings it back" 5 holds regained "$fill_color" 200 200 12
xdotool key --window "$window" ctrl+s
wait_for "the scene's file holds it" 10 grep -q "Polygon(points: \[(" still/still.ron
for edit in 1 2 3; do xdotool key --window "$window" ctrl+z; sleep 0.2; done
wait_for "undo removes what was drawn" 5 lacks undrawn "$fill_color" 200 200 12
xdotool key --window "$window" ctrl+s
wait_for "and so does the file" 10 sh -c '! grep -q Polygon still/still.ron'
# A path drawn, and one of its points dragged.
xdotool key --window "$window" shift+l
click 150 300
click 250 300
xdotool key --window "$window" Return
sleep 0.3
xdotool key --window "$window" ctrl+s
wait_for "a path that is drawn is in the file" 10 grep -q '"path1": (points: \[(' still/still.ron
drawn=$(grep '"path1"' still/still.ron)
xdotool mousemove --window "$window" 250 300
sleep 0.2
xdotool mousedown 1
for y in 310 330 350 360; do xdotool mousemove --window "$window" 250 $y; sleep 0.05; done
xdotool mouseup 1
sleep 0.3
xdotool key --window "$window" ctrl+s
point_moved() { grep -q '"path1"' still/still.ron && ! grep -qF "$drawn" still/still.ron; }
wait_for "a drag moves a point of it" 10 point_moved
for edit in 1 2; do xdotool key --window "$window" ctrl+z; sleep 0.2; done
xdotool key --window "$window" ctrl+s
wait_for "undo removes the path" 10 sh -c '! grep -q path1 still/still.ron'
# Finding a unit, looking into its script, and the world alone.
xdotool key --window "$window" ctrl+f
wait_for "the field for a number takes the keyboard" 5 holds field "rgb(240,244,252)" 1038 115 24
xdotool key --window "$window" 0 Return
wait_for "a unit is found by its number" 5 holds found "$select_color" "$middle_x" "$middle_y" 80
quick 32 90
wait_for "a click on its rule opens the script with values" 5 holds script "rgb(82,168,255)" 500 420 240
xdotool key --window "$window" Escape
wait_for "a key closes it" 5 holds closed "rgb(255,0,0)" "$middle_x" "$middle_y" 24
xdotool key --window "$window" shift+F11
wait_for "the world fills the window" 5 holds alone "rgb(255,0,0)" 640 400 24
xdotool key --window "$window" Escape Escape
wait_for "and the panel is back" 5 holds back "rgb(255,0,0)" "$middle_x" "$middle_y" 24
xdotool key --window "$window" F11
wait_for "the window fills the screen" 5 wide 1500
sleep 0.5
shot full_screen
xdotool key --window "$window" Escape
wait_for "a key makes it as large as before" 5 wide 1280
xdotool key --window "$window" F11
wait_for "it fills the screen again" 5 wide 1500
xdotool key --window "$window" F11
wait_for "and the same key leaves it" 5 wide 1280
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "it closes" 10 gone "$app"

# Trials and saves of a scene: a unit that was thrown returns to its place after them, and a chosen view stays chosen.
mkdir -p saves/scripts
echo 'fn steer(me, world) { () }' >saves/scripts/rest.rhai
scene() { printf '%s' '(
    world: Plane(size: (800, 600)),
    bodies: {"rock": Mover(length: 30, width: 30, max_speed: 0.001, desired_speed: 0)},
    views: {"wide": Around(radius: 900)},
    keys: {"V": View("wide")},
    groups: [(body: "rock", spawn: At(['"$1"']), behaviors: [(script: "rest")], look: (shape: Dot, color: "#ff0000"),
        name: "rocks")])'; }
scene '(position: (100, 100)), (position: (400, 300))' >saves/saves.ron
: >events
forget
"$program" saves/saves.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "a scene opens for trials" 30 find_window
wait_for "its units are there" 20 holds trials "$red" "$middle_x" "$middle_y" 12
# The name of the view in the panel.
view_name() { shot view; convert "$pictures/view.png" -crop 100x24+1018+197 +repage "$pictures/$1.png"; }
view_is() { view_name shown; [ "$(compare -metric AE "$pictures/$1.png" "$pictures/shown.png" null: 2>&1)" = 0 ]; }
view_differs() { ! view_is "$1"; }
view_name no_view
xdotool key --window "$window" v
wait_for "a key of the scene chooses a view" 5 view_differs no_view
view_name wide_view
sed -i 's/(100, 100)/(101, 100)/' saves/saves.ron
wait_for "a save of the scene runs" 10 more_events '"generation":2' 0
sleep 0.3
wait_for "the chosen view survives it" 5 view_is wide_view
ctrl_drag "$middle_x" "$middle_y" 300 250
wait_for "a unit is thrown" 5 holds thrown "$red" 300 250 12
xdotool key --window "$window" space ctrl+k
sleep 0.3
xdotool type --delay 40 "edit saves"
xdotool key --window "$window" Return
wait_for "the editor opens below the world" 5 holds editor "$red" 365 158 12
scene '(position: (100, 100))' | xclip -selection clipboard
xdotool key --window "$window" ctrl+a ctrl+v ctrl+Return
wait_for "a draft without a unit removes it" 5 lacks draft "$red" 365 158 40
xdotool key --window "$window" Escape
wait_for "it returns to its place when the draft ends" 5 holds ended "$red" 365 158 12
scene '(position: (101, 100)), (position: (400, 300))' | xclip -selection clipboard
xdotool key --window "$window" ctrl+a ctrl+v ctrl+shift+Return ctrl+End Left Left Left Left
sleep 0.5
for letter in e t s; do
    before=$(events reconciled)
    xdotool type "$letter"
    wait_for "Live runs each letter of a group's name" 10 more_events reconciled "$before"
    wait_for "and its units stay" 5 holds "live_$letter" "$red" 365 158 12
done
xdotool key --window "$window" Escape
wait_for "and its unit remains after it" 5 holds lived "$red" 365 158 12
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "the scene of trials closes" 10 gone "$app"

forget
"$program" scenes/flock.ron >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "the flock opens again" 30 find_window
wait_for "and is drawn" 20 drawn again
for turn in 1 2 3; do
    quick "$pause_x" "$pause_y"
    wait_for "quick click $turn pauses" 5 holds paused "$target_color" 920 18 60
    quick "$pause_x" "$pause_y"
    wait_for "quick click $turn resumes" 5 lacks resumed "$target_color" 920 18 60
done
xdotool windowactivate --sync "$window" key --delay 0 space || true
wait_for "a key of no duration pauses" 5 holds paused "$target_color" 920 18 60
xdotool key --delay 0 space
wait_for "and resumes" 5 lacks resumed "$target_color" 920 18 60
# The panel is dragged by its dots to the other side, and a command returns it.
docked() { grep -q "dock: Some(Left)" "$XDG_CONFIG_HOME/steerbox/window.ron"; }
undocked() { ! docked; }
drag_from 1262 18
drag_to 900 200
sleep 0.1
drag_to 60 400
sleep 0.3
shot docking
xdotool mouseup 1
wait_for "a drag docks the panel at the left, and the place is remembered" 10 docked
xdotool key ctrl+k
sleep 0.3
xdotool type --delay 40 "reset the layout"
xdotool key Return
wait_for "a command resets the layout" 10 undocked
xdotool key ctrl+o
wait_for "the scenes are shown, this one framed" 10 holds scenes "rgb(110,214,146)" 764 418 280
quick 230 160
wait_for "a click opens another scene" 10 titled "Leaders and interceptors"
wait_for "it is drawn" 10 drawn opened
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "it closes, too" 10 gone "$app"

# Back in time: by dragging along the timeline and by keys; a save in the past, both runs, and back.
forget
rm -f "$work/events"
"$program" scenes/flock.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "the flock opens once more" 30 find_window
wait_for "its timeline is drawn" 20 holds timeline "$rail_color" 400 "$timeline_y" 24
sleep 2
xdotool mousemove --window "$window" 600 "$timeline_y" mousedown 1
sleep 0.1
for x in 560 500 420; do xdotool mousemove --window "$window" "$x" "$timeline_y"; sleep 0.1; done
shot scrubbing
xdotool mouseup 1
wait_for "a drag along the timeline shows the past" 5 holds past "$target_color" 900 18 60
before=$(events '"event":"live"')
cp scripts/cohesion.rhai good
sed -i 's/^fn steer(me, world) {/&\n    if me.id > -1 { return vec(1, 0); }/' scripts/cohesion.rhai
wait_for "a save in the past goes live" 10 more_events '"event":"live"' "$before"
sleep 1
shot runs
xdotool key --window "$window" comma
sleep 0.3
xdotool key --window "$window" n
sleep 0.3
shot runs_paper
xdotool key --window "$window" n
xdotool key --window "$window" End
wait_for "a key keeps the new run and returns to the present" 5 lacks present "$target_color" 900 18 60
cp good scripts/cohesion.rhai
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "the flock closes" 10 gone "$app"

# What a save leads to for a selected unit, both runs side by side, and the better one kept.
forget
rm -f "$work/events"
"$program" scenes/flock.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "the flock opens for a preview" 30 find_window
wait_for "it is drawn for a preview" 20 drawn preview
xdotool key --window "$window" ctrl+f
wait_for "the field takes the keyboard" 5 holds field "rgb(240,244,252)" 1038 115 24
xdotool key --window "$window" 1 2 Return
wait_for "a unit is selected" 5 holds selected "$select_color" "$middle_x" "$middle_y" 660
before=$(events '"event":"live"')
sed -i 's/^fn steer(me, world) {/&\n    if me.id > -1 { return vec(1, 0); }/' scripts/cohesion.rhai
wait_for "a save for a preview goes live" 10 more_events '"event":"live"' "$before"
xdotool key --window "$window" space
wait_for "its words say which line is which" 10 holds preview "rgb(255,193,94)" 310 $((timeline_y - 73)) 60
xdotool key --window "$window" n
sleep 0.5
shot preview_paper
xdotool key --window "$window" n e
wait_for "a key ends the preview" 5 lacks no_preview "rgb(255,193,94)" 310 $((timeline_y - 73)) 60
xdotool key --window "$window" x
wait_for "a key shows both rules side by side" 10 holds compared "$letter_color" $second_x $second_y 24
xdotool key --window "$window" space g
sleep 2
shot compared
xdotool key --window "$window" n
sleep 0.5
shot compared_paper
xdotool key --window "$window" n
click 102 $((timeline_y - 29))
wait_for "a button keeps B alone" 10 lacks kept "$letter_color" $second_x $second_y 24
cmp -s good scripts/cohesion.rhai && fail "B writes no file"
cp good scripts/cohesion.rhai
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "the flock that was compared closes" 10 gone "$app"

# Texts: the clipboard in both directions, and the unsaved ones of two windows that are killed.
texts="$XDG_CONFIG_HOME/steerbox/unsaved"
# edit NAME: opens a window, whose process is in `app`, and a script in its editor.
edit() {
    "$program" scenes/flock.ron >"$work/log" 2>&1 & app=$!
    pids+=("$app")
    window=
    wait_for "$1 opens" 30 find_newest
    wait_for "$1 is drawn" 20 drawn texts
    xdotool windowactivate --sync "$window" key ctrl+k
    sleep 0.5
    xdotool type --delay 40 "edit cohesion.rhai"
    xdotool key Return
    sleep 0.5
}
find_newest() {
    window=$(xdotool search --onlyvisible --name 'steerbox$' 2>/dev/null | grep -vx "$first_window" | tail -n 1)
    [ -n "$window" ]
}
copied() { xclip -o -selection clipboard 2>/dev/null | cmp -s - scripts/cohesion.rhai; }
stored() { grep -qs "$1" "$texts"/*.ron; }
# both: one file contains the texts of both windows, and no other file is left.
both() { [ "$(ls "$texts"/*.ron | wc -l)" = 1 ] && stored "of one window" && stored "of the other"; }
forget
first_window=none
edit "a window for texts"
xdotool key ctrl+a ctrl+c
wait_for "another program pastes what was copied" 5 copied
printf '// of another\r\nprogram\0' >pasted
xclip -i -selection clipboard pasted
xdotool key ctrl+Home ctrl+v
wait_for "what another program copied is pasted" 5 stored '// of another\\nprogram//!'
xdotool type --delay 40 "of one window"
wait_for "the unsaved text is stored" 5 stored "of one window"
first=$app first_window=$window
edit "a second window"
stored "of one window" || fail "the text of a window that runs is not taken over"
xdotool type --delay 40 "// of the other"
wait_for "its text is stored, too" 5 stored "of the other"
kill -KILL "$first" "$app"
wait_for "both are killed" 10 gone "$app"
first_window=none
edit "the next window"
wait_for "it takes over both texts" 5 both
cmp -s good scripts/cohesion.rhai || fail "no text was written"
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "the window of texts closes" 10 gone "$app"

# The other views and keys: leaders that are hunted for, and space with its two cameras.
for scene in aidemo4 fish; do
    forget
    "$program" "scenes/$scene.ron" >"$work/log" 2>&1 & app=$!
    pids+=("$app")
    window=
    wait_for "$scene opens" 30 find_window
    wait_for "$scene is drawn" 20 drawn "$scene"
    for key in 3 c v o Right; do xdotool key --window "$window" "$key"; sleep 0.1; done
    wait_for "$scene is drawn from elsewhere" 10 drawn "$scene"
    xdotool windowactivate --sync "$window" key alt+F4 || true
    wait_for "$scene closes" 10 gone "$app"
    wait "$app" || fail "$scene ends without an error"
done

# Asked to end, the window ends in order and says so in its status.
for asked in INT:130 TERM:143 HUP:143; do
    forget
    "$program" scenes/flock.ron >"$work/log" 2>&1 & app=$!
    pids+=("$app")
    window=
    wait_for "a window opens" 30 find_window
    kill "-${asked%:*}" "$app"
    wait_for "SIG${asked%:*} ends it" 10 gone "$app"
    status=0
    wait "$app" || status=$?
    [ "$status" = "${asked#*:}" ] || fail "SIG${asked%:*}: status $status"
done

# Steps that take seconds: two thousand units on one spot that separate.
cat >scenes/slow.ron <<'END'
(
    world: Plane(size: (0.001, 0.001), edges: Wrap, seamless: true),
    contacts: (units: Separate),
    bodies: { "m": Mover() },
    groups: [(name: "a", body: "m", count: 2000, look: (shape: Dot, scale: 0.00001))],
)
END
rm -f "$work/events"
forget
"$program" scenes/slow.ron --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "a slow scene opens" 30 find_window
wait_for "its panel is drawn" 20 drawn slow
xdotool key --window "$window" space
wait_for "it pauses" 3 paused
xdotool key --window "$window" space
wait_for "it goes on" 3 running
before=$(events '"event":"reconciled"')
sed -i 's/count: 2000/count: 1999/' scenes/slow.ron
wait_for "a save goes live while a step takes long" 3 more_events '"event":"reconciled"' "$before"
xdotool windowsize "$window" 900 600
wait_for "it takes a new size" 3 wide 900
xdotool windowactivate --sync "$window" key alt+F4 || true
wait_for "it closes" 3 gone "$app"
wait "$app" || fail "it ends without an error"

# Keyboards: N changes the theme by its symbol, or by its position where the layout has no Latin letters.
forget
"$program" flock --events "$work/events" >"$work/log" 2>&1 & app=$!
pids+=("$app")
window=
wait_for "a window for keyboards opens" 30 find_window
wait_for "its panel is drawn" 20 drawn keyboard
light=dark
is_light() {
    shot keyboard
    convert "$pictures/keyboard.png" -crop 60x60+1100+600 +repage -format '%[fx:mean>0.5]' info: | grep -q 1
}
is_dark() { ! is_light; }
# Codes of X11, which events by position have: 57 is N on a US keyboard, and 46 on Dvorak.
for layout in us:57 ru:57 gr:57 fr:57 de:57 il:57 dvorak:46; do
    setxkbmap "${layout%:*}"
    sleep 0.3
    if [ $light = dark ]; then light=light; else light=dark; fi
    xdotool windowfocus "$window" key "${layout#*:}"
    wait_for "N changes the theme on a keyboard ${layout%:*}" 10 "is_$light"
done
setxkbmap us
kill "$app"
wait_for "it ends" 5 gone "$app"

# Displays with other numbers of bits: a picture, or a sentence and status 1.
for depth in 8 15 16 30; do
    rm -f "$work/display"
    Xvfb -displayfd 3 -screen 0 800x600x$depth 3>"$work/display" >/dev/null 2>&1 & server=$!
    pids+=("$server")
    wait_for "a display of $depth bits is given" 20 test -s "$work/display"
    if [ $depth = 30 ]; then
        DISPLAY=:$(cat "$work/display") "$program" flock >"$work/log" 2>&1 & app=$!
        pids+=("$app")
        is_blue() {
            DISPLAY=:$(cat "$work/display") import -window root "$pictures/deep.png" &&
                convert "$pictures/deep.png" -fuzz 3% -fill black +opaque "#7cc4ff" -format '%[fx:mean>0]' info: | grep -q 1
        }
        wait_for "units have their color with 30 bits" 30 is_blue
        kill "$app"
    else
        status=0
        DISPLAY=:$(cat "$work/display") "$program" flock >"$work/log" 2>&1 || status=$?
        [ $status = 1 ] && grep -q "bits per pixel" "$work/log" || fail "a display of $depth bits is refused, status $status"
        passed=$((passed + 1))
        echo "ok: a display of $depth bits is refused in words"
    fi
    kill "$server"
done

cd /
if env -u DISPLAY "$program" >/dev/null 2>"$work/nodisplay"; then fail "no display is an error"; fi
[ "$(wc -l <"$work/nodisplay")" = 1 ] || fail "no display is told in one line"
passed=$((passed + 1))
echo "$passed passed, 0 failed"
