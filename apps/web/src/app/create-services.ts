import type { AppConfig } from '@assay/contract';
import { onlineManager } from '@tanstack/react-query';
import { createPageViewCounter, createPageViewSink } from '../shared/analytics/page-views.ts';
import { createApi } from '../shared/api/create-api.ts';
import { tabStorage } from '../shared/cache/browser-storage.ts';
import { createLocalCache } from '../shared/cache/local-cache.ts';
import { createRemembered } from '../shared/cache/remembered.ts';
import { createConnection } from '../shared/connection/connection.ts';
import { createDrafts } from '../shared/forms/drafts.ts';
import { createEventBus } from '../shared/realtime/event-bus.ts';
import type { AppServices } from '../shared/services/services.ts';
import { loadIdentityLater } from '../shared/session/identity.ts';
import { createSessionManager } from '../shared/session/session-manager.ts';
import { createSessionStore } from '../shared/session/session-store.ts';
import { createSignInTrips } from '../shared/session/sign-in-trips.ts';
import { clearWhenOwnerChanges } from '../shared/session/tab-owner.ts';
import { showGuessingDocs } from './guessing-docs.ts';

/** A sign-out waits at most this long for the API. */
const signOutPatienceMs = 2_000;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The browser's own parts, put together: the one place that reaches for storage, locks and location. */
export function createServices(config: AppConfig): AppServices {
  const store = createSessionStore(localStorage);
  addEventListener('storage', (event) => store.noticeStorageEvent(event.key));
  clearWhenOwnerChanges(tabStorage, store);

  const identity = loadIdentityLater(async () => {
    const { createIdentity } = await import('../shared/session/oidc-identity.ts');
    return createIdentity({ config, origin: location.origin, storage: localStorage, nowSeconds });
  });
  const session = createSessionManager({
    store,
    identity,
    shareLock: (task) => navigator.locks.request('assay.session', task),
    nowSeconds,
  });
  const cache = createLocalCache(localStorage, () => new Date());
  const remembered = createRemembered({
    cache,
    subject: () => session.current()?.subject,
    // Different in every build: the file's name has a hash of the code.
    build: import.meta.url,
  });
  const connection = createConnection(onlineManager);
  const api = createApi(config, session, connection);
  const drafts = createDrafts(tabStorage);
  // A session that ends by itself replaces the page. The same person usually signs in again and goes on.
  session.subscribe(() => {
    if (session.current()?.forced_logout) drafts.keepAll();
  });
  const signInTrips = createSignInTrips({
    identity,
    session,
    leaveFor: (url) => location.assign(url),
    forgetPerson: () => {
      remembered.forget();
      tabStorage.clear();
      showGuessingDocs(false);
    },
    endAtApi: () => api.users.endSession({ signal: AbortSignal.timeout(signOutPatienceMs) }),
  });

  return {
    config,
    api,
    session,
    signInTrips,
    cache,
    remembered,
    events: createEventBus(),
    connection,
    drafts,
    countPageView: createPageViewCounter(
      createPageViewSink(config.analytics_url, (url, body) => navigator.sendBeacon(url, body)),
      () => new Date(),
    ),
  };
}
