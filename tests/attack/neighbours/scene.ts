import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@assay/postgres/testing/free-port';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import type { IdentityOptions } from '../../../packages/identity/src/index.ts';
import { type AttackedProduct, startAttackedProduct } from '../product.ts';
import type { Scene } from './action.ts';
import { type BigList, createBigList } from './big-list.ts';

export interface OpenScene extends Scene {
  close(): Promise<void>;
}

/** The limits of the product as it comes: they are what protects the neighbour. */
const environment = { RATE_LIMIT_PER_CUSTOMER: '', RATE_LIMIT_PER_ADDRESS: '', UPLOADS_PER_CUSTOMER: '' };

/** Starts the product and what surrounds it; the big list gets this many rows. */
export async function openScene({ rows }: { readonly rows: number }): Promise<OpenScene> {
  const opened = new AsyncDisposableStack();
  try {
    const folder = await makeDataFolder('assay-neighbours-');
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const world = await startOutside(opened, 'mail-world');
    const mail = world as { dns: string; allowRanges: string[] };
    const product = await startAttackedProduct(folder, { mail, environment });
    opened.defer(() => product.stop());
    // A process that stands still would not stop for minutes, and nothing of it is needed any more.
    opened.defer(() => Promise.all(product.processes.map((running) => running.end())).then(() => undefined));
    const identityUrl = await startIdentity(opened, product.environment.DATABASE_URL ?? '');
    const fromElsewhere = elsewhereOf(product);
    let bigList: Promise<BigList> | undefined;
    return {
      product,
      identityUrl,
      fromElsewhere,
      bigList: () => {
        bigList ??= createBigList(fromElsewhere(), rows);
        return bigList;
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Each call gives the product as seen from another network address. */
export function elsewhereOf(product: AttackedProduct): Scene['fromElsewhere'] {
  let count = 0;
  return () => {
    count += 1;
    const localAddress = `127.66.${count >> 8}.${count & 0xff}`;
    return { ...product, target: { ...product.target, localAddress } };
  };
}

async function startIdentity(opened: AsyncDisposableStack, databaseUrl: string): Promise<string> {
  const port = await freePort();
  const options: IdentityOptions = {
    databaseUrl,
    issuer: `http://127.0.0.1:${port}`,
    port,
    audience: 'https://assay.test/api',
    clientId: 'assay-web',
    redirectUris: ['http://app.test/redirect'],
    postLogoutRedirectUris: [],
  };
  await startOutside(opened, 'identity', JSON.stringify(options));
  return options.issuer;
}

const program = fileURLToPath(new URL('./outside-process.ts', import.meta.url));

/** Returns the message that the process sends when it serves. */
async function startOutside(opened: AsyncDisposableStack, ...words: string[]): Promise<unknown> {
  const child: ChildProcess = fork(program, words);
  const exited = once(child, 'exit');
  opened.defer(async () => {
    child.disconnect();
    await exited;
  });
  const [message] = await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`${words[0]} ended with ${code}`))),
  ]);
  return message;
}
