//! The run of a row, from the manifest of its table.

use anyhow::{anyhow, ensure};
use steerbox_script::Execution;

use super::manifest::{Column, Manifest};
use super::rules::Rules;
use super::variable::Variable;
use crate::reload::{Place, Setting, Texts};
use crate::session::parse_setting;

/// The inputs of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RowRun {
    /// Scene and scripts; the scene has the numbers of units of the row.
    pub texts: Texts,
    /// The values of the row and those that all runs share.
    pub settings: Vec<Setting>,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// Returns the run of a row of the table, counted from 1.
    ///
    /// # Errors
    /// If there is no such row, or the manifest does not fit its own scene.
    pub fn row(&self, row: u64) -> anyhow::Result<RowRun> {
        let rows = self.shard.len_of(self.runs());
        ensure!((1..=rows).contains(&row), "--row {row}: the table has the rows 1 to {rows}");
        let run = self.shard.run(row - 1);
        let settings =
            self.settings.iter().map(|text| parse_setting(text).map_err(|error| anyhow!("{text}: {error}")));
        let mut settings = settings.collect::<anyhow::Result<Vec<_>>>()?;
        let rules = Rules::load(Place::of_texts(self.texts.clone()), &settings, Execution::default())?;
        let variables = self.values(run).into_iter();
        let variables =
            variables.map(|(name, value)| Variable::parse(&format!("{name}={value}"), &rules.base));
        let variables = variables.collect::<anyhow::Result<Vec<_>>>()?;
        settings.extend(variables.iter().filter_map(|variable| variable.setting(0)));
        let counts: Vec<_> = variables.iter().filter_map(|variable| variable.count(0)).collect();
        let texts = Texts { scene: rules.scene_text(&counts)?, ..self.texts.clone() };
        Ok(RowRun { texts, settings, seed: self.order().seed_of(run) })
    }

    /// Returns name and text of the value of each variable in a run.
    pub(super) fn values<'a>(&'a self, run: u64) -> Vec<(&'a str, &'a str)> {
        let value = |(column, at): (&'a Column, usize)| (column.name.as_str(), column.values[at].as_str());
        self.variables.iter().zip(self.order().indices(run)).map(value).collect()
    }
}
