//! The record of a probed call.

use std::sync::Arc;

use steerbox_core::sim::{Contribution, Failure};

use super::code::{Code, Site, SiteKind, Span};
use super::recorder::SiteLog;

/// The values of one call of a behavior for one unit.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The sites of the values.
    pub code: Arc<Code>,
    /// The result of the call.
    pub result: Result<Contribution, Failure>,
    pub(super) logs: Vec<SiteLog>,
}

impl Recording {
    /// Returns every site with values, and its values, in the order of the files and their texts.
    pub fn values(&self) -> Vec<(&Site, &SiteLog)> {
        let all = self.code.sites.iter().zip(&self.logs);
        let mut values: Vec<_> =
            all.filter(|(site, log)| log.count > 0 && site.kind != SiteKind::Statement).collect();
        values.sort_by_key(|(site, _)| (site.file, site.span));
        values
    }

    /// Returns the ranges of a file that were not reached, in source order, without nested ones.
    pub fn unreached(&self, file: usize) -> Vec<Span> {
        let is_unreached = |sites: &std::ops::Range<usize>| {
            let mut logs = self.logs[sites.clone()].iter();
            logs.all(|log| log.count == 0)
        };
        // The failed expression was reached, but has no value.
        let failure = self.result.as_ref().err();
        let failed = failure.filter(|failure| self.file_of(failure) == file).map(|failure| failure.line);
        let holds = |span: &Span| failed.is_some_and(|line| (span.start.0..=span.end.0).contains(&line));
        let pieces = self.code.pieces.iter().filter(|piece| piece.file == file && !holds(&piece.span));
        let unreached = pieces.filter(|piece| is_unreached(&piece.sites)).map(|piece| piece.span);
        let mut spans: Vec<_> = unreached.collect();
        // Of ranges with the same start, the longest is first and absorbs the others.
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = (0, 0);
        spans.retain(|span| {
            let is_outside = span.end > end;
            end = end.max(span.end);
            is_outside
        });
        spans
    }

    /// Returns the index of the file in which a call failed.
    pub fn file_of(&self, failure: &Failure) -> usize {
        let path = failure.file.as_ref();
        let at = path.and_then(|path| self.code.files.iter().position(|file| file.path == *path));
        at.unwrap_or(0)
    }

    /// Returns true if the call has the same result as another one, bit for bit. Failures are compared by message.
    pub fn agrees_with(&self, result: &Result<Contribution, Failure>) -> bool {
        match (&self.result, result) {
            (Ok(mine), Ok(other)) => mine.has_bits_of(other),
            (Err(mine), Err(other)) => mine.message == other.message,
            _ => false,
        }
    }
}
