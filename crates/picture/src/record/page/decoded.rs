//! Reading of pages for tests, as the player does.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::columns::Prediction;

/// Reads columns as the page does.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn bytes(&mut self, lengths: &[usize]) -> Vec<Vec<u8>> {
        let (column, rest) = self.0.split_at(lengths.iter().sum());
        self.0 = rest;
        let mut residuals = column.iter();
        let series = |length: &usize| {
            let decoded = residuals.by_ref().take(*length).scan(0_u8, |last, zigzag| {
                *last = last.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg());
                Some(*last)
            });
            decoded.collect()
        };
        lengths.iter().map(series).collect()
    }

    pub(crate) fn words(&mut self, lengths: &[usize], prediction: Prediction) -> Vec<Vec<u16>> {
        let count = lengths.iter().sum::<usize>();
        let (planes, rest) = self.0.split_at(2 * count);
        self.0 = rest;
        let mut at = 0;
        let series = |length: &usize| {
            let mut values: Vec<u16> = Vec::new();
            for index in 0..*length {
                let zigzag = u16::from_le_bytes([planes[at], planes[at + count]]);
                let residual = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
                let before = |back: usize| index.checked_sub(back).map_or(0, |at| values[at]);
                let difference = if index > 1 { before(1).wrapping_sub(before(2)) } else { 0 };
                let difference = if prediction == Prediction::Linear { difference } else { 0 };
                values.push(before(1).wrapping_add(difference).wrapping_add(residual));
                at += 1;
            }
            values
        };
        lengths.iter().map(series).collect()
    }
}

/// Returns the data in a page.
pub(crate) fn data(page: &str) -> Vec<u8> {
    let start = page.split("id=\"data\">").nth(1).expect("there is data");
    let text = start.split("</script>").next().expect("it ends");
    let bytes = STANDARD.decode(text).expect("it is base64");
    let mut data = Vec::new();
    flate2::read::DeflateDecoder::new(&bytes[..]).read_to_end(&mut data).expect("it inflates");
    data
}
