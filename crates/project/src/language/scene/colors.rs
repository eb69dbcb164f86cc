//! Colors of a scene, and their forms in texts.

use crate::language::document::Document;
use crate::language::model::Color;
use steerbox_scene as scene;

/// Returns the colors of a scene.
pub(in crate::language) fn colors(document: &Document) -> Vec<Color> {
    let colors = document.parts().colors.iter();
    let shown = colors.filter_map(|(range, color)| {
        let scene::Color { r, g, b, a } = (*color)?;
        let [r, g, b, alpha] = [r, g, b, a].map(|share| f32::from(share) / 255.0);
        Some(Color { range: range.clone(), color: [r, g, b], alpha })
    });
    shown.collect()
}

/// Returns the texts of a color with their quotes, names first. Shares are from 0 to 1; others are clamped.
pub fn color_texts([r, g, b]: [f32; 3], alpha: f32) -> Vec<String> {
    let [r, g, b, a] = [r, g, b, alpha].map(|share| (share.clamp(0.0, 1.0) * 255.0).round() as u8);
    let texts = texts(scene::Color { r, g, b, a }).into_iter();
    texts.map(|text| format!("\"{text}\"")).collect()
}

/// Returns the texts of a color, names first.
pub(super) fn texts(color: scene::Color) -> Vec<String> {
    let names = scene::Color::names().filter(|name| scene::Color::parse(name) == Some(color));
    let mut texts: Vec<String> = names.map(str::to_owned).collect();
    let scene::Color { r, g, b, a } = color;
    let alpha = if a == u8::MAX { String::new() } else { format!("{a:02x}") };
    texts.push(format!("#{r:02x}{g:02x}{b:02x}{alpha}"));
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::document;

    #[test]
    fn colors_have_places_and_all_their_forms() {
        let text = "(obstacle_color: \"#f008\", groups: [(look: (color: \"red\", marks: {\"a\": \"no\"}))])";
        let document = document("a.ron", text);
        let found = colors(&document);
        let shown: Vec<_> = found.iter().map(|one| (&text[one.range.clone()], one.color)).collect();
        assert_eq!(shown, [("\"red\"", [1.0, 0.0, 0.0])]);
        assert_eq!(color_texts([1.0, 0.0, 0.0], 1.0), ["\"red\"", "\"#ff0000\""]);
        assert_eq!(color_texts([0.0, 0.5, 7.0], 0.5), ["\"#0080ff80\""]);
    }
}
