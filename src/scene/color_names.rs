//! The color names of CSS that scenes may use.

use super::Color;

/// Names in alphabetic order with their `0xRRGGBB` values, those of CSS.
pub(super) const ALL: &[(&str, u32)] = &[
    ("aqua", 0x0000_ffff),
    ("aquamarine", 0x007f_ffd4),
    ("black", 0x0000_0000),
    ("blue", 0x0000_00ff),
    ("blueviolet", 0x008a_2be2),
    ("brown", 0x00a5_2a2a),
    ("chartreuse", 0x007f_ff00),
    ("chocolate", 0x00d2_691e),
    ("coral", 0x00ff_7f50),
    ("cornflowerblue", 0x0064_95ed),
    ("crimson", 0x00dc_143c),
    ("cyan", 0x0000_ffff),
    ("darkgray", 0x00a9_a9a9),
    ("darkgreen", 0x0000_6400),
    ("darkorange", 0x00ff_8c00),
    ("darkred", 0x008b_0000),
    ("deeppink", 0x00ff_1493),
    ("deepskyblue", 0x0000_bfff),
    ("dimgray", 0x0069_6969),
    ("dodgerblue", 0x001e_90ff),
    ("firebrick", 0x00b2_2222),
    ("forestgreen", 0x0022_8b22),
    ("fuchsia", 0x00ff_00ff),
    ("gold", 0x00ff_d700),
    ("goldenrod", 0x00da_a520),
    ("gray", 0x0080_8080),
    ("green", 0x0000_8000),
    ("grey", 0x0080_8080),
    ("hotpink", 0x00ff_69b4),
    ("indigo", 0x004b_0082),
    ("khaki", 0x00f0_e68c),
    ("lavender", 0x00e6_e6fa),
    ("lightblue", 0x00ad_d8e6),
    ("lightgray", 0x00d3_d3d3),
    ("lightgreen", 0x0090_ee90),
    ("lime", 0x0000_ff00),
    ("limegreen", 0x0032_cd32),
    ("magenta", 0x00ff_00ff),
    ("maroon", 0x0080_0000),
    ("mediumseagreen", 0x003c_b371),
    ("midnightblue", 0x0019_1970),
    ("navy", 0x0000_0080),
    ("olive", 0x0080_8000),
    ("orange", 0x00ff_a500),
    ("orangered", 0x00ff_4500),
    ("orchid", 0x00da_70d6),
    ("peru", 0x00cd_853f),
    ("pink", 0x00ff_c0cb),
    ("plum", 0x00dd_a0dd),
    ("purple", 0x0080_0080),
    ("red", 0x00ff_0000),
    ("royalblue", 0x0041_69e1),
    ("salmon", 0x00fa_8072),
    ("seagreen", 0x002e_8b57),
    ("sienna", 0x00a0_522d),
    ("silver", 0x00c0_c0c0),
    ("skyblue", 0x0087_ceeb),
    ("slateblue", 0x006a_5acd),
    ("slategray", 0x0070_8090),
    ("springgreen", 0x0000_ff7f),
    ("steelblue", 0x0046_82b4),
    ("tan", 0x00d2_b48c),
    ("teal", 0x0000_8080),
    ("thistle", 0x00d8_bfd8),
    ("tomato", 0x00ff_6347),
    ("turquoise", 0x0040_e0d0),
    ("violet", 0x00ee_82ee),
    ("wheat", 0x00f5_deb3),
    ("white", 0x00ff_ffff),
    ("yellow", 0x00ff_ff00),
    ("yellowgreen", 0x009a_cd32),
];

/// The opaque color of `name`, in any case.
pub(super) fn find(name: &str) -> Option<Color> {
    let lower = name.to_ascii_lowercase();
    let at = ALL
        .binary_search_by_key(&lower.as_str(), |(name, _)| name)
        .ok()?;
    let [_, r, g, b] = ALL[at].1.to_be_bytes();
    Some(Color::rgb(r, g, b))
}
