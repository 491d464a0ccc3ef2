//! Plots as PNG: the SVG, rendered with the system's fonts.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Pixels per SVG unit: sharp on common screens and on paper.
const SCALE: f32 = 2.0;

/// Renders one of our SVGs as PNG, in its light colours on white.
///
/// # Errors
/// If there is no font, or the picture is too large.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let family =
        plain_family(fonts).ok_or("there is no font on this system to draw a PNG with; ask for .svg instead")?;
    fonts.set_sans_serif_family(&family);
    options.font_family = family;
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let pixels = tree.size().to_int_size().scale_by(SCALE).and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or("the picture is too large for a PNG; ask for .svg instead")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

/// Returns a common sans serif font that this system has, or else any font.
fn plain_family(fonts: &Database) -> Option<String> {
    const USUAL: [&str; 7] =
        ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Helvetica", "Arial", "Segoe UI", "Verdana"];
    let names = || fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name);
    let usual = USUAL.iter().find(|usual| names().any(|name| name == *usual));
    usual.map(|name| (*name).to_owned()).or_else(|| names().next().cloned())
}
