//! How a connection to Postgres is encrypted: by rustls, which trusts what the system trusts.

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use rustls_platform_verifier::Verifier;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::engine::client::CallError;

/// What encrypts connections; certificates in the file at `ca` are trusted too.
pub(super) fn connector(ca: Option<&Path>) -> Result<MakeRustlsConnect, CallError> {
    let failed = |reason: String| CallError { reason, detail: None };
    let provider = Arc::new(ring::default_provider());
    let extra = match ca {
        None => Vec::new(),
        Some(path) => CertificateDer::pem_file_iter(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| failed(format!("cannot read the certificates in {}: {error}", path.display())))?,
    };
    let verifier = Verifier::new_with_extra_roots(extra, Arc::clone(&provider))
        .map_err(|error| failed(format!("the certificates to trust cannot be used: {error}")))?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(format!("no encryption can be set up: {error}")))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
