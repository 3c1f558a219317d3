import type { Client } from '@assay/client';
import type { AppConfig } from '@assay/contract';
import type { LocalCache } from '../cache/local-cache.ts';
import type { Remembered } from '../cache/remembered.ts';
import type { Connection } from '../connection/connection.ts';
import type { Drafts } from '../forms/drafts.ts';
import type { EventBus } from '../realtime/event-bus.ts';
import type { SessionManager } from '../session/session-manager.ts';
import type { SignInTrips } from '../session/sign-in-trips.ts';

/** What screens may reach for; the app makes it once, from the configuration it was served with. */
export interface AppServices {
  readonly config: AppConfig;
  readonly api: Client;
  readonly session: SessionManager;
  readonly signInTrips: SignInTrips;
  readonly cache: LocalCache;
  readonly remembered: Remembered;
  readonly events: EventBus;
  readonly connection: Connection;
  readonly drafts: Drafts;
  readonly countPageView: (path: string) => void;
}
