//! Texts below the options in each command's help: examples and exit status.

pub(super) const OPEN: &str = "\
Examples:
  steerbox                  open the default scene
  steerbox doorway          open a scene by its name, from scenes/ or built in
  steerbox scenes/mine.ron  open a file; saving it or its scripts reloads
  steerbox flock --set starlings.separation.gain=2
  steerbox list             list the scenes
  steerbox new DIR          start a project of your own

Exit status:
  0    success
  1    an error in a scene, script, file or output; the last line names it
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)
Interrupted, the window and `run` still write and close every output that has a reader. A second Ctrl+C ends \
at once.";

pub(super) const RUN: &str = "\
Examples:
  steerbox run flock --steps 500
  steerbox run scenes/mine.ron --seed 7 --metrics figures.csv --image last.png
  steerbox run flock --steps 100 --trace - | jq .position
  steerbox run flock --set \"starlings.cohesion.gain=0.5\" --quiet
  steerbox run flock --profile
  steerbox run scenes/mine.ron --watch --events -

Standard output ends with steps/s, unit-steps/s, and the state as `hash: ` and 16 hex digits. One of --trace, \
--metrics and --events may be `-`. The speeds then go to standard error. With --trace and --metrics the hash does, \
too, so standard output is only JSON lines or CSV; with --events the hash is its last line.

Exit status:
  0    all steps were made
  1    a script failed, a file is invalid, or an output cannot be written
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)
Interrupted, it still writes every output, the image and the hash, but abandons an output without a reader after \
half a second. A second Ctrl+C ends at once.";

pub(super) const EXPLAIN: &str = "\
Examples:
  steerbox explain flock --unit 12 --step 300
  steerbox explain flock --unit 0 --step 1 --set starlings.cohesion.gain=0.5
  steerbox explain flock --unit 12 --step 300 --format json | jq .rules[0].lines

Step S results in the state that `run --trace` writes as step S, with the same contributions. The values \
beside a line are those of this unit in this step. Parts that did not run are dim; without \
color, `-` precedes a line that did not run, and `[-` and `-]` enclose a part of one.

Exit status:
  0    the step is explained, even if a script failed in it
  1    a file is invalid, or the scene has no such unit
  2    invalid or contradictory arguments";

pub(super) const COMPARE: &str = "\
Examples:
  steerbox compare flock --steps 600 --with starlings.cohesion.gain=0.5
  steerbox compare scenes/mine.ron --with-scripts ../other/scripts --seed 7
  steerbox compare flock --with starlings.cohesion.REACH=60 --format json

Both runs have the same scene, seed and --set. The first line names the first step after which they differ, \
the first unit that differs, and the first of its rules whose contribution differs.

Exit status:
  0    no difference
  1    a difference; or a script failed, or a file is invalid
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)";

pub(super) const CHECK: &str = "\
Examples:
  steerbox check                    scenes/ and scripts/ here, or built-in files
  steerbox check scenes/mine.ron    a scene and the scripts it uses
  steerbox check doorway            a scene by its name
  steerbox check --format json .    for editors
  steerbox check --explain scripts  order of each loop over units, and why
  steerbox check --explain flock    the same, and parameters without effect

Exit status:
  0    no faults; there may be warnings
  1    faults, or a file that cannot be read
  2    invalid or contradictory arguments";

pub(super) const LIST: &str = "\
The scenes are those in scenes/ here and the built-in ones. Open one with `steerbox NAME`.

Examples:
  steerbox list
  steerbox list --format json";

pub(super) const NEW: &str = "\
Examples:
  steerbox new birds && steerbox birds/scenes/flock.ron

Exit status: 1 if the folder already has a file of the project; nothing is written then.";

pub(super) const DEFINITIONS: &str = "\
Examples:
  steerbox definitions definitions";

pub(super) const COMPLETIONS: &str = "\
Examples:
  steerbox completions bash >> ~/.bash_completion
  steerbox completions zsh > ~/.zfunc/_steerbox
  steerbox completions fish > ~/.config/fish/completions/steerbox.fish";

pub(super) const MAN: &str = "\
Examples:
  steerbox man | man -l -
  steerbox man > ~/.local/share/man/man1/steerbox.1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_fit_a_narrow_terminal_and_paragraphs_are_wrapped_by_the_parser() {
        let texts = [OPEN, RUN, EXPLAIN, COMPARE, CHECK, LIST, NEW, DEFINITIONS, COMPLETIONS, MAN];
        for lines in texts.map(|text| text.lines().collect::<Vec<_>>()) {
            for pair in lines.windows(2) {
                let is_prose = |line: &str| line.len() > 60 && !line.starts_with(' ');
                assert!(!pair.iter().all(|line| is_prose(line)), "wrapped by hand: {pair:?}");
            }
            for line in lines.iter().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
