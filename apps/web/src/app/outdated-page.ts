const reloadedAtKey = 'assay.reloaded_at';
const oncePerMs = 30_000;

/** Two ways in which a page outlives what it was made from. */
export function watchForOutdatedPage(): void {
  // After a deployment the chunks of the old build are gone. One reload fetches the new one; a second would not help.
  addEventListener('vite:preloadError', async () => {
    // Without a server there is no new build, and the browser's own error page would take the place of this one.
    if (!(await canReachServer())) return;
    // Not the storage that never throws: if the time cannot be kept, the page must not reload again and again.
    const reloadedAt = Number(sessionStorage.getItem(reloadedAtKey) ?? 0);
    if (Date.now() - reloadedAt < oncePerMs) return;
    sessionStorage.setItem(reloadedAtKey, String(Date.now()));
    location.reload();
  });

  // 'Back' from the identity provider may bring up the page as it was when it left: frozen, and perhaps signed out since.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

const canReachServer = (): Promise<boolean> =>
  fetch('/version.json', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
