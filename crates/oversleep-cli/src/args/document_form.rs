//! The forms of a document for readers, which a file's ending names.

use crate::failure::Failure;
use std::path::Path;

/// A form in which a report or a reproduction is written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentForm {
    Page,
    Svg,
    Png,
    Markdown,
}

impl DocumentForm {
    /// Returns the form that a file's ending names, in letters of either case.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Self::Page),
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }

    /// Returns the form of a file that `--out` names.
    pub(crate) fn of_out(path: &Path) -> Result<Self, Failure> {
        Self::of_ending(path).ok_or_else(|| {
            Failure::usage(format!("--out {}: the name has to end in .html, .svg, .png or .md", path.display()))
        })
    }

    /// Returns whether it is a picture.
    pub(crate) const fn is_picture(self) -> bool {
        matches!(self, Self::Svg | Self::Png)
    }

    /// Returns the word for such a document.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Svg | Self::Png => "picture",
            Self::Markdown => "text",
        }
    }
}
