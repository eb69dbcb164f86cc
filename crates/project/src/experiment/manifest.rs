//! The manifest of a table: a JSON file beside it with everything that its runs depend on.
//!
//! It contains the texts of scene and scripts, so that a row can be repeated anywhere and after any change of the files,
//! and identifies the sweep, so that only the same one continues an unfinished table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::cells;
use super::order::Order;
use super::plan::Plan;
use super::rules::Rules;
use super::shard::Shard;
use crate::reload::Texts;
use crate::session::written_setting;

/// The form of manifests that this program writes.
const FORM: u32 = 1;

/// The description of a table of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of the manifest.
    pub steerbox_sweep: u32,
    /// Version of the program that made the runs.
    pub program: String,
    /// The scene as the command named it.
    pub scene: String,
    /// XXH3 of each text in 16 hex digits, by file name.
    pub hashes: BTreeMap<String, String>,
    /// The settings that all runs share.
    pub settings: Vec<String>,
    /// The variables with the texts of their values.
    pub variables: Vec<Column>,
    /// True if point `i` has value `i` of each variable; otherwise the points are all combinations.
    pub paired: bool,
    /// The sample, as `--sample` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// The first seed.
    pub seed: u64,
    /// The number of seeds of each point.
    pub seeds: u64,
    /// True if no two runs have the same seed; otherwise all points have the same seeds.
    pub independent_seeds: bool,
    /// The number of steps of a run.
    pub steps: u64,
    /// The number of steps before measures count.
    pub warmup: u64,
    /// The texts of the measures and statistics.
    pub measures: Vec<String>,
    /// The condition whose first step is the last one of a run.
    pub until: Option<String>,
    /// The part of the runs.
    pub shard: Shard,
    /// The machine that made the runs; `None` for merged tables.
    pub host: Option<Host>,
    /// The texts of scene and scripts.
    pub texts: Texts,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name of its column.
    pub name: String,
    /// The texts of its values.
    pub values: Vec<String>,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name in the network.
    pub name: String,
    /// Its operating system.
    pub system: String,
    /// The architecture of its processor.
    pub processor: String,
    /// The number of threads that made runs.
    pub threads: usize,
}

impl Manifest {
    /// Describes the runs of a plan.
    pub fn of(plan: &Plan, rules: &Rules, scene: String, host: Host) -> Self {
        let mut texts = rules.texts.clone();
        texts.scripts.extend(
            rules.base.measure_texts(|name| plan.measures().any(|measure| measure.computed() == Some(name))),
        );
        let hash = |text: &str| format!("{:016x}", xxh3_64(text.as_bytes()));
        let scripts = texts.scripts.iter().map(|(name, text)| (format!("{name}.rhai"), hash(text)));
        let files = texts.files.iter().map(|(name, text)| (name.clone(), hash(text)));
        let variables = plan.variables.iter();
        let column =
            |(name, values): (&String, &Vec<String>)| Column { name: name.clone(), values: values.clone() };
        Self {
            steerbox_sweep: FORM,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            scene,
            hashes: scripts.chain(files).chain([(texts.name.clone(), hash(&texts.scene))]).collect(),
            settings: rules.settings.iter().map(written_setting).collect(),
            variables: variables.map(|variable| column((&variable.name, &variable.values))).collect(),
            paired: plan.order.is_paired,
            sample: plan.sample.map(|sample| sample.to_string()),
            seed: plan.order.seed,
            seeds: plan.order.seeds,
            independent_seeds: plan.order.independent,
            steps: plan.steps,
            warmup: plan.warmup,
            measures: plan.statistics.iter().map(|statistic| statistic.name.clone()).collect(),
            until: plan.until.as_ref().map(|until| until.text().to_owned()),
            shard: plan.shard,
            host: Some(host),
            texts,
        }
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    /// With the reason.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let manifest: Self =
            serde_json::from_slice(text).map_err(|error| format!("no manifest of a sweep: {error}"))?;
        if manifest.steerbox_sweep != FORM {
            return Err(format!("a manifest of form {}, this program reads {FORM}", manifest.steerbox_sweep));
        }
        if !manifest.shard.is_valid() {
            return Err(format!("there is no part {}", manifest.shard));
        }
        let order = manifest.order();
        if !order.has_seeds() {
            return Err("a manifest without valid seeds".to_owned());
        }
        let is_valid = |length: &usize| *length > 0 && (!order.is_paired || *length == order.lengths[0]);
        if !order.lengths.iter().all(is_valid) {
            return Err("a manifest without valid values".to_owned());
        }
        manifest.texts.check()?;
        Ok(manifest)
    }

    /// Returns the text of the manifest.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// Returns the number of runs of the whole sweep.
    pub fn runs(&self) -> u64 {
        self.order().runs()
    }

    /// Returns the order of the runs.
    pub(super) fn order(&self) -> Order {
        Order {
            lengths: self.variables.iter().map(|column| column.values.len()).collect(),
            is_paired: self.paired,
            seed: self.seed,
            seeds: self.seeds,
            independent: self.independent_seeds,
        }
    }

    /// Returns the first line of the table, with its end.
    pub fn header(&self) -> String {
        let names = self.variables.iter().map(|column| column.name.as_str());
        cells::header(names, self.measures.iter().map(String::as_str))
    }

    /// Returns the first difference between two sweeps, besides part and machine: this one, then the other.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let texts = self.texts.differences(&other.texts);
        if !texts.is_empty() || self.texts.name != other.texts.name {
            let names = if texts.is_empty() { self.texts.name.clone() } else { texts.join(", ") };
            return Some(format!("{names} changed"));
        }
        let variable = |Column { name, values }: &Column| format!("{name}={}", shortened(&values.join(",")));
        let options = |manifest: &Self| {
            let variables = manifest.variables.iter().map(variable).collect::<Vec<_>>();
            [
                ("the version of steerbox is", manifest.program.clone()),
                ("--set is", manifest.settings.join(" ")),
                ("--sample is", manifest.sample.clone().unwrap_or_default()),
                ("--vary is", variables.join(" ")),
                ("--seed is", manifest.seed.to_string()),
                ("--seeds is", manifest.seeds.to_string()),
                ("--steps is", manifest.steps.to_string()),
                ("--independent-seeds is", manifest.independent_seeds.to_string()),
                ("--warmup is", manifest.warmup.to_string()),
                ("--measure is", manifest.measures.join(",")),
                ("--until is", manifest.until.clone().unwrap_or_default()),
            ]
        };
        let mut pairs = options(self).into_iter().zip(options(other));
        let differing = pairs.find(|(own, other)| own != other);
        differing.map(|((what, own), (_, other))| format!("{what} `{own}` there, `{other}` here")).or_else(
            || {
                let is_other = self.variables != other.variables || self.paired != other.paired;
                is_other.then(|| "the values of the variables differ".to_owned())
            },
        )
    }
}

/// Returns a text with at most 60 characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
