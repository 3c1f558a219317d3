import { join } from 'node:path';
import { startMailWorld } from '@assay/mail-world';
import { startPostgres } from '@assay/postgres';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { writeListFile, zone } from '../faults/list-file.ts';
import { signUp } from '../support/customer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { type AssayCommand, type ProductProcess, startProcess } from '../support/product-process.ts';
import { Deadline } from '../support/until.ts';

export interface Outside {
  /** An empty database of its own, for a version that must not meet what a newer one has migrated. Answers its address. */
  createDatabase(name: string): Promise<string>;
  /** Runs API and worker with this command, opens the web app and verifies a list. Throws what is wrong. */
  useProduct(command: AssayCommand, own: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export interface Trial {
  /** The repository. */
  readonly root: string;
  /** The folder with the artefacts. */
  readonly release: string;
  /** A folder for this trial alone. */
  readonly work: string;
  readonly outside: Outside;
  readonly version: string;
  /** The package of an earlier release, to upgrade from. Otherwise the package is upgraded to itself. */
  readonly older: string | undefined;
}

const patienceMs = 300_000;

/** What the product does not bring: database, identity provider and mail hosts, on loopback. */
export async function openOutside(folder: string): Promise<Outside> {
  const database = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } });
  const issuer = await startTestIssuer();
  const mail = await startMailWorld({ zone });
  const around = { databaseUrl: database.url, issuer, mail, dataFolder: '/var/lib/assay' };
  const { environment, apiUrl } = await describeSurroundings(around);
  const close = async () => {
    await Promise.all([database.stop(), issuer.close(), mail.close()]);
  };

  async function useProduct(command: AssayCommand, own: Record<string, string>): Promise<void> {
    const env = { ...environment, ...own };
    const processes: ProductProcess[] = [];
    try {
      processes.push(await startProcess('api', env, command), await startProcess('worker', env, command));
      const page = await fetch(new URL('/', apiUrl));
      if (!(await page.text()).includes('<div id="root">'))
        throw new Error(`/ answers ${page.status} and no page`);
      const ready = await fetch(new URL('/health/ready', apiUrl));
      if (ready.status !== 200) throw new Error(`/health/ready: ${await ready.text()}`);
      const docs = await fetch(new URL('/docs/reference', apiUrl));
      if (docs.status !== 200) throw new Error(`/docs/reference answers ${docs.status}`);
      const file = writeListFile(processes.length);
      const { client } = await signUp(issuer, { apiUrl, environment: env }, file.rowCount);
      const list_raw = new File([file.text], 'people.csv', { type: 'text/csv' });
      const { id: list_id } = await client.validations.createList({ body: { list_raw } });
      const deadline = new Deadline(patienceMs, () => processes.flatMap(({ fall }) => fall ?? [])[0]);
      await deadline.until('the list is complete', async () => {
        const { status } = await client.validations.getList({ params: { list_id } });
        return status === 'COMPLETE';
      });
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
    }
  }
  return { createDatabase: (name) => database.createDatabase(name), useProduct, close };
}
