//! Texts below the options in each command's help: examples and exit status.

pub(super) const OPEN: &str = "\
Examples:
  steerbox                  open the default scene
  steerbox doorway          open a scene by its name, from scenes/ or built in
  steerbox scenes/mine.ron  open a file; saving it or its scripts reloads
  steerbox flock --set starlings.separation.gain=2
  steerbox gain.csv --row 17 --step 600   open a run of a sweep
  steerbox list             list scenes, experiments and measures
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
  steerbox run flock --metrics - --metrics-of polarization,clusters --every 10
  steerbox run flock --steps 100 --trace - | jq .position
  steerbox run flock --steps 600 --trace swifts.csv.zst --trace-of swifts
  steerbox run flock --set \"starlings.cohesion.gain=0.5\" --quiet
  steerbox run flock --steps 600 --record flock.gif --bar
  steerbox run flock --steps 3000 --record flock.mp4 --theme light
  steerbox run flock --profile
  steerbox run gain.csv --row 17 --steps 2000   # a run of a sweep
  steerbox run scenes/mine.ron --watch --events -

Standard output ends with steps/s, unit-steps/s, and the state as `hash: ` and 16 hex digits. One of --trace, \
--metrics and --events may be `-`. The speeds then go to standard error. With --trace and --metrics the hash does, \
too, so standard output is only JSON lines or CSV; with --events the hash is its last line.

Exit status:
  0    all steps were made
  1    a script or an expectation failed, a file is invalid, or an output
       cannot be written
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)
Interrupted, it still writes every output, the image and the hash, but abandons an output without a reader after \
half a second. A second Ctrl+C ends at once.";

pub(super) const SWEEP: &str = "\
Examples:
  steerbox sweep flock --vary starlings.cohesion.gain=0..1:11 --seeds 20 \\
    --steps 2000 --warmup 500 --measure starlings.polarization --out gain.csv
  steerbox sweep flock --vary starlings.count=50,100,200 --steps 1000 \\
    --measure \"first(starlings.polarization > 0.9)\" --out count.csv
  steerbox sweep flock --sample sobol:64 --vary starlings.cohesion.gain=0..2 \\
    --vary swifts.count=10..90 --steps 1000 --measure swifts.speed --out s.csv
  steerbox sweep noise           # the options of experiments/noise.ron

A row has the varied values, the seed, each measure or statistic over the steps after the warm-up, and the state hash. Rows have \
the order of the values, the last variable changing fastest, then of the seeds. Each processor makes one run at a time; the bytes \
of the table are the same for any number of threads. Beside FILE.csv, FILE.csv.json describes the sweep.

The same command continues an unfinished table, also after Ctrl+C or a crash. The row of a run that failed has no \
measures, and `error: ` with the reason in place of the hash.

Exit status:
  0    all runs were made
  1    a run failed, or a file is invalid or cannot be written
  2    invalid or contradictory arguments
  130  paused (SIGINT, Ctrl+C)
  143  paused (SIGTERM, SIGHUP)";

pub(super) const MERGE: &str = "\
Examples:
  steerbox sweep flock … --shard 1/2 --out one.csv   # on one machine
  steerbox sweep flock … --shard 2/2 --out two.csv   # on another
  steerbox merge one.csv two.csv --out all.csv

The merged table has the bytes of the whole sweep made at once. Each part needs its manifest, PART.csv.json, beside it.

Exit status: 1 if a part is missing, unfinished or given twice, or is of another sweep; no table is written then.";

pub(super) const PLOT: &str = "\
Examples:
  steerbox plot results.csv --out results.svg
  steerbox plot results.csv --y starlings.speed --by starlings.count --out p.png
  steerbox plot results.csv --kind heat --out map.svg
  steerbox plot results.csv --kind scatter --x starlings.speed --out cloud.png
  steerbox plot vicsek.csv --reference tests/reference/vicsek.csv --out v.png
  steerbox run flock --metrics m.csv && steerbox plot m.csv --out m.svg

Without options, the x-axis is the first variable that varies (of curves, one with more than 8 values; the time of `run --metrics`), each measure has a panel, the \
values of a second variable have colors, and those of a third one panels. Curves are means over seeds with the 95 % confidence \
interval of Student's distribution. Rows of failed runs are skipped.

Exit status: 1 if the file is not a table of results, has no such column, or there is nothing to plot.";

pub(super) const SENSITIVITY: &str = "\
Examples:
  steerbox sweep flock --vary starlings.cohesion.gain=0..2 \\
      --vary starlings.wander.gain=0..2 --sample saltelli:256 --steps 600 \\
      --measure starlings.polarization --out results.csv
  steerbox sensitivity results.csv

The output is a table of comma-separated values. Of morris:N it has mu, mu_star with its interval, and sigma; of saltelli:N the \
first-order index S1 and the total index ST with their intervals. Intervals are 95 % intervals over resamples.

Exit status: 1 if the table has no such sample, is a part or unfinished, or has no manifest.";

pub(super) const REPLAY: &str = "\
Examples:
  steerbox run flock --steps 600 --replay flock.replay
  steerbox replay flock.replay             watch it in the window
  steerbox replay flock.replay --headless  repeat it, and compare every state

A replay contains the start of the run with its scene and scripts, every input since (saved files, tuned values, edits \
by hand, keys, target), and digests of the states.

Exit status of --headless:
  0    all states are the same; the last line is the hash of the last one
  1    a state differs: second, step, unit and field are named; or a bad file
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)";

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
  steerbox compare flock --with starlings.cohesion.gain=0.5 --seeds 20

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
  steerbox check --run scenes       run scenes until expectations are judged
  steerbox check --run --format junit > report.xml
  steerbox check --explain scripts  order of each loop over units, and why
  steerbox check --explain flock    the same, and parameters without effect

Exit status:
  0    no faults; there may be warnings
  1    faults, a failed expectation, or a file that cannot be read
  2    invalid or contradictory arguments";

pub(super) const TEST: &str = "\
Examples:
  steerbox test                     the scenes in scenes/ here
  steerbox test scenes/mine.ron --seeds 10
  steerbox test --format junit > report.xml

A scene passes if it gives the same states on 1 and 7 threads and in machine code and the interpreter, other states for \
another seed, no failure, NaN or suspension of a rule, and if its expectations hold for each seed. A test that would prove \
nothing fails or is skipped: a scene without rules, or an expectation that holds before any rule acts.

Exit status:
  0    all tests passed, or were skipped with a reason
  1    a test failed, or a file is invalid
  2    invalid or contradictory arguments
  130  interrupted (SIGINT, Ctrl+C)
  143  terminated (SIGTERM, SIGHUP)";

pub(super) const LIST: &str = "\
The scenes are those in scenes/ here and the built-in ones. Open one with `steerbox NAME`. \
Experiments in experiments/ and measures in scripts/measures/ follow: `steerbox sweep NAME` runs an \
experiment, and `--measure NAME` is a measure.

Examples:
  steerbox list
  steerbox list --format json";

pub(super) const NEW: &str = "\
Examples:
  steerbox new birds && steerbox birds/scenes/flock.ron
  steerbox new birds --all     # with a copy of every built-in script
  steerbox new birds --template player && steerbox birds/scenes/player.ron

Exit status: 1 if the folder already has a file of the project; nothing is written then.";

pub(super) const LSP: &str = "\
Editors start it; their settings are in docs/editors.md.

Examples:
  steerbox lsp

Exit status: 1 if the input ends before the editor requests it.";

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
    use clap::CommandFactory as _;

    use crate::cli::Args;

    #[test]
    fn examples_fit_a_narrow_terminal_and_paragraphs_are_wrapped_by_the_parser() {
        let program = Args::command();
        let commands = std::iter::once(&program).chain(program.get_subcommands());
        let with_examples = commands.filter(|command| command.get_name() != "version");
        for command in with_examples {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(text.contains("Examples:\n"), "{} has no examples", command.get_name());
            let document = include_str!("../../docs/command-line.md");
            let name = format!("`steerbox {}", command.get_name().replace("steerbox", "[SCENE]"));
            assert!(document.contains(&name), "docs/command-line.md does not name {name}");
            let lines: Vec<_> = text.lines().collect();
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
