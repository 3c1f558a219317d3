// The program of a thread that runs one stand-in of `assay start`. See docs/decisions/supervisor.md.
import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { IdentityOptions } from '@assay/identity';
import type { LocalSettings } from './settings.ts';

interface Part<Input, Facts> {
  /** After a restart, `facts` are those of the first start. */
  readonly input: Input & { readonly facts?: Facts };
  readonly facts: Facts;
}

interface Environment {
  readonly environment: Readonly<Record<string, string>>;
}

export interface Parts {
  mail: Part<
    { readonly forward?: boolean },
    { readonly dns: string; readonly smtpPort: number; readonly allowRanges: string[] }
  >;
  identity: Part<IdentityOptions, { readonly trustsAddresses: boolean }>;
  payments: Part<{ readonly settings: LocalSettings; readonly databaseUrl: string }, Environment>;
  mailboxes: Part<
    {
      readonly settings: LocalSettings;
      readonly env: NodeJS.ProcessEnv;
      readonly databaseUrl: string;
      readonly secret: string;
    },
    Environment
  >;
}
export type PartName = keyof Parts;

interface Running<Facts> {
  readonly facts: Facts;
  readonly close: () => Promise<void>;
}

/** Loaded on demand: each thread needs the code of its part only. */
const starters: {
  [Name in PartName]: (input: Parts[Name]['input']) => Promise<Running<Parts[Name]['facts']>>;
} = {
  mail: async ({ forward = false, facts }) => {
    const { startMailWorld } = await import('@assay/mail-world');
    const dnsPort = Number(facts?.dns.split(':').at(-1) ?? 0);
    const world = await startMailWorld({ forward, dnsPort, smtpPort: facts?.smtpPort ?? 0 });
    const { dns, smtpPort, allowRanges } = world;
    return { facts: { dns, smtpPort, allowRanges }, close: world.close };
  },
  identity: async (options) => {
    const { startIdentityWithLog } = await import('./start-identity.ts');
    const { trustsAddresses, close } = await startIdentityWithLog(options);
    return { facts: { trustsAddresses }, close };
  },
  payments: async ({ settings, databaseUrl }) => {
    const { startEmbeddedPayments } = await import('./payments.ts');
    const { environment, close } = await startEmbeddedPayments(settings, databaseUrl);
    return { facts: { environment }, close };
  },
  mailboxes: async ({ settings, env, databaseUrl, secret }) => {
    const { startEmbeddedMailboxes } = await import('./mailboxes.ts');
    const { environment, close } = await startEmbeddedMailboxes(settings, env, { databaseUrl, secret });
    return { facts: { environment }, close };
  },
};

const { name, input } = workerData as { name: PartName; input: never };
const supervisor = parentPort as MessagePort;
const { facts, close } = await starters[name](input);
supervisor.postMessage(facts);
// The supervisor sends one word: stop.
await once(supervisor, 'message');
await close();
supervisor.close();
