import type { Schedule } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { shareLookups } from '../../platform/database/share-lookups.ts';
import { type FoundIdentity, findIdentities, type IdentityLookup } from './users.store.ts';

/** Finds the identities of calls that arrive together with one statement. */
export const createIdentityFinder = (
  db: Db,
  schedule?: Schedule,
): ((lookup: IdentityLookup) => Promise<FoundIdentity | undefined>) =>
  shareLookups((lookups) => findIdentities(db, lookups), schedule);
