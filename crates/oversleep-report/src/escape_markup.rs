//! Escaping of text in HTML and SVG.

use oversleep_recording::text::visible;

/// Escapes markup as entities, and replaces invisible characters by spaces: XML does not allow control characters, and
/// others change the direction of the text around them.
pub(super) fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("a<b & \"c\">\u{7}"), "a&lt;b &amp; &quot;c&quot;&gt; ");
        assert_eq!(escaped("a\u{202E}b\u{2066}<c\u{FEFF}"), "a b &lt;c ");
    }
}
