import type { MailboxProvider } from '@assay/contract';
import { tabStorage } from '../../shared/cache/browser-storage.ts';

/** Lives as long as the tab, which is as long as a trip to a provider can take. */
const KEY = 'warmup_oauth_provider';

export const storeProvider = (provider: MailboxProvider): void => tabStorage.setItem(KEY, provider);

/** The provider that this tab last went to; Google when it is not known. */
export const storedProvider = (): MailboxProvider =>
  tabStorage.getItem(KEY)?.toUpperCase() === 'MICROSOFT' ? 'MICROSOFT' : 'GOOGLE';

/** How calls write a provider in their address. */
export const pathOfProvider = { GOOGLE: 'google', MICROSOFT: 'microsoft' } as const satisfies Record<
  MailboxProvider,
  string
>;
