#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn database(connection: &str) -> Database {
    let connection = connection.to_owned();
    Database { connection, password: None, timeout: Duration::from_secs(5), ca: None }
}

#[tokio::test]
async fn a_connection_string_that_cannot_be_read_is_not_shown_where_it_may_hold_a_password() {
    let error = database("host=db prot=5432").connect(&Secrets::default()).await.unwrap_err();
    assert!(error.reason.contains("prot"), "{error}");
    for secret in ["host=db password=hunter2 prot=1", "postgresql://me:hunter2@db:port/x", "host=db password='hunter2"]
    {
        let error = database(secret).connect(&Secrets::default()).await.unwrap_err();
        assert!(!error.reason.contains("hunter2") && error.reason.contains("cannot be read"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_without_its_password() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let connection = format!("postgresql://me:hunter2@127.0.0.1:{port}/rag");
    let error = database(&connection).connect(&Secrets::default()).await.unwrap_err();
    assert!(error.reason.starts_with(&format!("postgres at 127.0.0.1:{port}/rag: ")), "{error}");
    assert!(error.reason.contains("refused") && !error.reason.contains("hunter2"), "{error}");
}

#[test]
fn names_and_texts_are_quoted_whatever_they_hold() {
    assert_eq!(identifier("a\"b; DROP TABLE c"), "\"a\"\"b; DROP TABLE c\"");
    assert_eq!((literal("it's").as_str(), literal(r"a\'b").as_str()), ("'it''s'", r"E'a\\''b'"));
}
