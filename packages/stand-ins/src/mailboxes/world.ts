import type { WebRequest } from '@assay/pages';
import type { Database } from './database.ts';

/** The one application that is registered at both providers. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** What consent pages call it. */
  readonly title: string;
}

export interface World {
  readonly db: Database;
  readonly client: Client;
  now(): Date;
}

export interface Call extends World {
  readonly request: WebRequest;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}
