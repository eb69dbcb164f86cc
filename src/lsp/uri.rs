//! Paths of documents in their URIs.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Bytes that are written as `%XX`: all except those that every path may contain.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the absolute path of a URI; `None` unless it is a local file with a UTF-8 path.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    let rest = Some(rest).filter(|_| scheme.eq_ignore_ascii_case("file"))?;
    // RFC 8089 permits `file:/path`, without an authority.
    let path = rest.strip_prefix("//").map_or(rest, |path| path.strip_prefix("localhost").unwrap_or(path));
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = if cfg!(windows) { path.trim_start_matches('/') } else { &*path };
    let path = PathBuf::from(path);
    (path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0)).then_some(path)
}

/// Returns the URI of an absolute path.
pub(super) fn uri_of(path: &Path) -> String {
    let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    format!("file://{root}{}", utf8_percent_encode(&path, ESCAPED))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris_and_back() {
        for path in ["/a/b.rhai", "/a b/ü#?%20.ron", "/日本/🐟.rhai"] {
            let uri = uri_of(Path::new(path));
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(path_of("file:/a%20b.ron").as_deref(), Some(Path::new("/a b.ron")));
        assert_eq!(path_of("FILE://localhost/a%2Fb.ron").as_deref(), Some(Path::new("/a/b.ron")));
    }

    #[test]
    fn other_uris_have_no_path() {
        let others = [
            "",
            "file",
            "file:a",
            "file://host/a",
            "untitled:a",
            "https://a/b",
            "file:///%ff",
            "file:///a%00",
        ];
        for uri in others {
            assert_eq!(path_of(uri), None, "{uri}");
        }
    }
}
