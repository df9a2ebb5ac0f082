//! An encrypted connection to a server of a private authority.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread::JoinHandle,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;

use super::*;

/// The PEM of a private authority, and a server on `localhost` with a certificate of it that answers `connections` connections.
fn server(connections: usize) -> (String, u16, JoinHandle<()>) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = rustls::ServerConfig::builder().with_no_client_auth();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        for connection in listener.incoming().take(connections) {
            let session = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(session, connection.unwrap());
            let mut buffer = [0; 4096];
            // A client that does not trust the certificate breaks off here.
            if stream.read(&mut buffer).is_ok() {
                stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}").unwrap();
                stream.conn.send_close_notify();
                stream.flush().unwrap();
            }
        }
    });
    (authority.pem(), port, thread)
}

#[tokio::test]
async fn the_file_of_a_private_authority_is_trusted_and_without_it_the_error_says_how() {
    let (pem, port, thread) = server(2);
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, pem).unwrap();
    let call = post(&format!("https://localhost:{port}/search"));
    let trusting = Client::new(&Limits { ca: Some(ca), ..once() }, Secrets::default()).unwrap();
    assert_eq!(trusting.send(&call, &|_| ()).await.unwrap().body, b"{}");
    let error = Client::new(&retrying(), Secrets::default()).unwrap().send(&call, &|_| ()).await.unwrap_err();
    // A machine without any certificates of its own cannot even try.
    let no_roots = error.reason.contains("no safe connection can be made");
    if no_roots {
        let _ = std::net::TcpStream::connect(("127.0.0.1", port));
    }
    assert!(error.reason.contains("no safe connection to localhost") || no_roots, "{}", error.reason);
    assert!(error.reason.contains("as `ca`"), "{}", error.reason);
    thread.join().unwrap();
}

#[tokio::test]
async fn a_certificate_for_another_name_and_a_server_without_tls_have_their_own_sentences() {
    let (pem, port, thread) = server(1);
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, pem).unwrap();
    let client = Client::new(&Limits { ca: Some(ca), ..once() }, Secrets::default()).unwrap();
    let error = client.send(&post(&format!("https://127.0.0.1:{port}/search")), &|_| ()).await.unwrap_err();
    assert!(error.reason.contains("its certificate is for another name; use that one in `url`"), "{}", error.reason);
    thread.join().unwrap();
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = plain.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut connection, _) = plain.accept().unwrap();
        let _ = connection.read(&mut [0; 4096]);
        connection.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
    });
    let error = client.send(&post(&format!("https://localhost:{port}/search")), &|_| ()).await.unwrap_err();
    thread.join().unwrap();
    assert!(error.reason.contains("it may not speak TLS; try http:// in `url`"), "{}", error.reason);
}

#[test]
fn a_file_that_holds_no_certificate_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (text, expected) in [(None, "cannot be read: "), (Some("hello"), "holds no certificate, expected `-----BEGIN")]
    {
        let ca = folder.path().join("ca.pem");
        if let Some(text) = text {
            std::fs::write(&ca, text).unwrap();
        }
        let error = Client::new(&Limits { ca: Some(ca), ..once() }, Secrets::default()).err().unwrap();
        assert!(error.reason.contains(expected), "{}", error.reason);
    }
}
