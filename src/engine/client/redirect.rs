//! Where a redirect leads: the same request to another address, or an error that names it.

use reqwest::{Response, StatusCode, Url, header::LOCATION};

use super::{
    fault::Fault,
    request::{Request, address},
};
use crate::engine::secret::Secrets;

/// The request that follows `request`, to which `response` came. A `POST` is never made a `GET`: its question would be lost.
pub(super) fn next(request: &Request, response: &Response, secrets: &Secrets) -> Result<Request, Fault> {
    let status = response.status();
    let fault = |rest: &str| Err(Fault::new(status.to_string(), rest));
    let Some(location) = response.headers().get(LOCATION) else {
        return fault(" with no address in `Location`: set `url` to where the server is");
    };
    let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
    let named = address(&location, secrets);
    let Ok(mut url) = request.url.join(&location) else {
        return fault(&format!(" to `{named}`, which is no address"));
    };
    let named = address(url.as_str(), secrets);
    // Whoever redirects does not choose as whom the next server is asked. It fails for addresses that are not followed either.
    let _ = (url.set_username(""), url.set_password(None));
    let keeps = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let moves = matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER);
    if moves && request.method.is_safe() || keeps {
        follow(request, url).ok_or_else(|| {
            Fault::new(
                status.to_string(),
                &format!(" to {named}, which is not as safe as https: set `url` to it if it is right"),
            )
        })
    } else if moves {
        let method = &request.method;
        fault(&format!(
            " to {named}: set `url` to that address, because a {method} that is redirected so loses its body"
        ))
    } else {
        fault(&format!(" to {named}: set `url` to the address that answers"))
    }
}

/// `None` where the new address is not encrypted and the old one is, or no address of a web server.
fn follow(request: &Request, url: Url) -> Option<Request> {
    let same = request.url.origin() == url.origin();
    match url.scheme() {
        "https" => (),
        "http" if request.url.scheme() == "http" => (),
        _ => return None,
    }
    Some(if same { Request { url, ..request.clone() } } else { request.without_headers(url) })
}
