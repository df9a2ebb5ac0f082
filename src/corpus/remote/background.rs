//! A thread on which an engine is spoken to, whatever the caller runs on.

use std::{future::Future, io, sync::mpsc};

use tokio::{
    runtime::{Builder, Runtime},
    task::JoinHandle,
};

use crate::{corpus::CorpusError, engine::client::CallError};

/// Connections live on this thread, so that a caller with a runtime of its own and one without any can share them.
pub(super) struct Background(Option<Runtime>);

impl Background {
    pub(super) fn new() -> io::Result<Self> {
        Builder::new_multi_thread().worker_threads(1).thread_name("engine").enable_all().build().map(Some).map(Self)
    }

    /// Waits for `asking` without a runtime. Nothing else happens on the caller's thread meanwhile.
    pub(super) fn wait<T: Send + 'static, E: Ended + Send + 'static>(
        &self,
        asking: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E> {
        let Some(runtime) = &self.0 else { return Err(E::ended()) };
        let (tell, hear) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            // Nobody hears it only if the caller is gone.
            let _ = tell.send(asking.await);
        });
        // The sender is dropped unsaid where the task panicked.
        hear.recv().unwrap_or_else(|_| Err(E::ended()))
    }

    /// Waits for `asking` inside a runtime; it ends when this is dropped.
    pub(super) async fn run<T: Send + 'static, E: Ended + Send + 'static>(
        &self,
        asking: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, E> {
        let Some(runtime) = &self.0 else { return Err(E::ended()) };
        let mut task = Task(runtime.spawn(asking));
        (&mut task.0).await.unwrap_or_else(|_| Err(E::ended()))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // To wait for it is not allowed everywhere.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Ends its task when it is dropped.
struct Task<T>(JoinHandle<T>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The error for a task that ended without an answer.
pub(super) trait Ended {
    fn ended() -> Self;
}

impl Ended for CallError {
    fn ended() -> Self {
        Self {
            reason: "asking it broke off; this is a fault of the program, please report it".to_owned(),
            detail: None,
        }
    }
}

impl Ended for CorpusError {
    fn ended() -> Self {
        Self::remote("an engine")(CallError::ended())
    }
}
