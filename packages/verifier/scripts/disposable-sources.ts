import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What fakefilter saw at disposable services, and when (seconds since 1970). */
interface Fakefilter {
  readonly t: number;
  readonly domains: Record<string, { provider: string; lastseen: number }>;
}

/** Providers of free mailboxes that last. */
export const readFreeProviders = (): string[] =>
  readFileSync(require.resolve('freemail/data/free.txt'), 'utf8').trim().split('\n');

/** The disposable domains of each package. */
export const readDisposableSources = () => ({
  'disposable-email-domains-js':
    require('disposable-email-domains-js').disposableEmailBlocklist() as string[],
  fakefilter: require('fakefilter/json/data.json') as Fakefilter,
  mailchecker: [...(require('mailchecker').blacklist() as Iterable<string>)],
  'disposable-domains': require('disposable-domains') as string[],
  'disposable-email-detector': require('disposable-email-detector/index.json') as string[],
});
