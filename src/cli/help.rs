//! Texts below the options in each command's help: examples and exit status.

pub(super) const OPEN: &str = "\
Examples:
  steerbox                           open the default scene
  steerbox doorway                   open a scene by its name, from scenes/ or built in
  steerbox scenes/mine.ron           open a file; it reloads when you save it or its scripts
  steerbox flock --set starlings.separation.gain=2
  steerbox list                      name the scenes
  steerbox new DIR                   start a project of your own

Exit status:
  0    all went well
  1    something is wrong with a scene, a script, a file or an output; the last line says what
  2    the arguments do not read or contradict each other
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)
Interrupted, the window and `run` still write and close every output that is read. A second Ctrl+C ends at once.";

pub(super) const RUN: &str = "\
Examples:
  steerbox run flock --steps 500
  steerbox run scenes/mine.ron --seed 7 --metrics figures.csv --image last.png
  steerbox run flock --steps 100 --trace - | jq .position
  steerbox run flock --set \"starlings.cohesion.gain=0.5\" --quiet
  steerbox run flock --profile
  steerbox run scenes/mine.ron --watch --events -

Standard output:
  Ends with steps/s, unit-steps/s, and the state as `hash: ` and 16 hex digits. One of --trace, --metrics
  and --events may be `-`. The figures go to standard error then. With --trace and --metrics the hash does,
  too, so that standard output is JSON lines or CSV alone; with --events the hash is its last line.

Exit status:
  0    all steps were made
  1    a script failed, a file does not read or an output cannot be written
  2    the arguments do not read or contradict each other
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)
Interrupted, it still writes every output, the image and the hash, but abandons an output that nobody reads after
half a second. A second Ctrl+C ends at once.";

pub(super) const EXPLAIN: &str = "\
Examples:
  steerbox explain flock --unit 12 --step 300
  steerbox explain scenes/mine.ron --unit 0 --step 1 --set \"starlings.cohesion.gain=0.5\"
  steerbox explain flock --unit 12 --step 300 --format json | jq .rules[0].lines

Step S leads to the state that `run --trace` writes as step S, with the same contributions. Beside a line
stand the values of the script there, for this unit in this step. Parts that did not run are dim; without
color, `-` precedes a line that did not run, and `[-` and `-]` enclose a part of one.

Exit status:
  0    the step is explained, even if a script failed in it
  1    a file does not read, or the scene has no such unit
  2    the arguments do not read or contradict each other";

pub(super) const COMPARE: &str = "\
Examples:
  steerbox compare flock --steps 600 --with starlings.cohesion.gain=0.5
  steerbox compare scenes/mine.ron --with-scripts ../other/scripts --seed 7
  steerbox compare flock --with starlings.cohesion.REACH=60 --format json | jq .first

Both runs have the same scene, seed and --set. The first line names the first step after which they differ,
the first unit that does, and the first of its rules that contributed something else.

Exit status:
  0    no difference
  1    there is one; or a script failed, or a file does not read
  2    the arguments do not read or contradict each other
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)";

pub(super) const CHECK: &str = "\
Examples:
  steerbox check                     scenes/ and scripts/ here, or else what is built in
  steerbox check scenes/mine.ron     a scene and the scripts it uses
  steerbox check doorway             a scene by its name
  steerbox check --format json .     for editors
  steerbox check --explain scripts   the order of each loop over units, and why
  steerbox check --explain flock     the same for its scripts, and which parameters have no effect

Exit status:
  0    no faults; warnings may be there
  1    there are faults, or something cannot be read
  2    the arguments do not read or contradict each other";

pub(super) const LIST: &str = "\
Scenes are those in scenes/ here, and the ones built in. Open one with `steerbox NAME`.

Examples:
  steerbox list
  steerbox list --format json";

pub(super) const NEW: &str = "\
Examples:
  steerbox new birds && steerbox birds/scenes/flock.ron

Exit status: 1 where a file of the project is there already, and nothing is written.";

pub(super) const DEFINITIONS: &str = "\
Examples:
  steerbox definitions definitions";

pub(super) const COMPLETIONS: &str = "\
Examples:
  steerbox completions bash > ~/.local/share/bash-completion/completions/steerbox
  steerbox completions zsh > ~/.zfunc/_steerbox
  steerbox completions fish > ~/.config/fish/completions/steerbox.fish";

pub(super) const MAN: &str = "\
Examples:
  steerbox man | man -l -
  steerbox man > ~/.local/share/man/man1/steerbox.1";
