//! Where `${NAME}` stands in a text, and every way in which one character of a secret can be spelt in an answer.

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// As it is.
    Text(&'t str),
    /// The name of a `${NAME}`.
    Name(&'t str),
    /// A `${` that begins no name, and all that follows.
    Malformed(&'t str),
}

/// The parts of `text` in order; `$${` is the text `${`.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let piece;
        (piece, rest) = match rest.find("${") {
            None => (Piece::Text(rest), ""),
            Some(at) if at > 0 && rest.as_bytes()[at - 1] == b'$' => {
                // The `$` before it goes, and the brace is no beginning any more.
                if at == 1 { (Piece::Text("${"), &rest[3..]) } else { (Piece::Text(&rest[..at - 1]), &rest[at - 1..]) }
            }
            Some(0) => match rest[2..].split_once('}') {
                Some((name, after)) if is_name(name) => (Piece::Name(name), after),
                _ => (Piece::Malformed(rest), ""),
            },
            Some(at) => (Piece::Text(&rest[..at]), &rest[at..]),
        };
        Some(piece)
    })
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
}

/// Tells `found` the length of every spelling of `c` with which `text` begins: plain, percent-encoded (also more than once),
/// escaped in JSON (also more than once), or as an HTML entity.
pub(super) fn spellings(text: &[u8], c: char, mut found: impl FnMut(usize)) {
    let mut buffer = [0; 4];
    let plain = c.encode_utf8(&mut buffer).as_bytes();
    if text.starts_with(plain) {
        found(plain.len());
    }
    match text.first() {
        Some(b'%') => percent(text, plain, &mut found),
        Some(b'\\') => escaped(text, c, &mut found),
        Some(b'&') => entity(text, c, &mut found),
        Some(b'+') if c == ' ' => found(1),
        _ => (),
    }
}

/// `%XX` for each byte, where each `%` may itself be encoded as `%25` any number of times.
fn percent(text: &[u8], plain: &[u8], found: &mut impl FnMut(usize)) {
    for again in 0..=2 {
        let mut at = 0;
        let whole = plain.iter().all(|byte| {
            let digits = text.get(at..).and_then(|rest| rest.strip_prefix(b"%"));
            let digits = digits.and_then(|rest| (0..again).try_fold(rest, |rest, _| rest.strip_prefix(b"25")));
            at += 3 + 2 * again;
            digits.and_then(|rest| rest.get(..2)).and_then(hex) == Some(u32::from(*byte))
        });
        if whole {
            found(at);
        }
    }
}

/// `\"`, `\n`, `\u00e4` with one backslash, or with as many as JSON within JSON has.
fn escaped(text: &[u8], c: char, found: &mut impl FnMut(usize)) {
    let slashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    if c == '\\' {
        [2, 4, 8].into_iter().filter(|&count| count <= slashes).for_each(&mut *found);
    }
    let rest = &text[slashes..];
    let letter = match c {
        '"' | '\'' | '/' => u8::try_from(c).ok(),
        _ => None,
    };
    if letter.is_some() && rest.first().copied() == letter {
        found(slashes + 1);
    }
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units);
    let mut at = 0;
    let whole = units.iter().enumerate().all(|(index, unit)| {
        if index > 0 {
            at += rest[at..].iter().take_while(|&&byte| byte == b'\\').count();
        }
        let digits = rest.get(at..).and_then(|rest| rest.strip_prefix(b"u")).and_then(|rest| rest.get(..4));
        at += 5;
        digits.and_then(hex) == Some(u32::from(*unit))
    });
    if whole {
        found(slashes + at);
    }
}

/// `&amp;`, `&#38;`, `&#x26;`.
fn entity(text: &[u8], c: char, found: &mut impl FnMut(usize)) {
    let Some(end) = text.iter().take(12).position(|&byte| byte == b';') else { return };
    let number =
        |digits: &[u8], radix| std::str::from_utf8(digits).ok().and_then(|text| u32::from_str_radix(text, radix).ok());
    let code = match &text[1..end] {
        b"amp" => Some(u32::from('&')),
        b"lt" => Some(u32::from('<')),
        b"gt" => Some(u32::from('>')),
        b"quot" => Some(u32::from('"')),
        b"apos" => Some(u32::from('\'')),
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 16),
        [b'#', digits @ ..] => number(digits, 10),
        _ => None,
    };
    if code == Some(u32::from(c)) {
        found(end + 1);
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    std::str::from_utf8(digits).ok().filter(|_| all).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}
