import { type Postgres, startPostgres } from '@assay/postgres';
import { audienceOf, defaultOf } from '../../src/platform/config/index.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { untilDatabaseAnswers } from '../../src/processes/until-database.ts';
import { createPartThreads, type PartThreads } from './part-threads.ts';
import { databaseIn, ensureSecret, type LocalSettings } from './settings.ts';
import type { StopRequest } from './stop-request.ts';

/** What `assay start` runs beside the processes of the product. */
export interface EmbeddedParts {
  /** The product's settings to reach them: addresses, and nothing that says they are embedded. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the identity provider is to run as one of the product's processes; null where it is a thread, or another one. */
  readonly identityPort: number | null;
  /** The embedded identity provider of a trial. */
  readonly identity: { readonly trustsAddresses: boolean } | null;
  /** Whether mailboxes can be connected without a real provider. */
  readonly hasMailboxes: boolean;
  close(): Promise<void>;
}

interface Foundation {
  readonly environment: Record<string, string> & { readonly ASSAY_SECRET: string };
  /** For what needs sessions of its own. */
  readonly databaseUrl: string;
  readonly parts: PartThreads;
  close(): Promise<void>;
}

/** What a trial and production have in common: the secret, the database at this version, and threads for further parts. */
export async function layFoundation(
  settings: LocalSettings,
  env: NodeJS.ProcessEnv,
  stop: StopRequest,
): Promise<Foundation> {
  const ASSAY_SECRET = env.ASSAY_SECRET || (await ensureSecret(settings.dataFolder));
  const postgres = env.DATABASE_URL ? null : await startDatabase(settings, stop);
  const parts = createPartThreads({ say: (line) => console.error(line) });
  const close = async () => {
    await parts.stop();
    await postgres?.stop();
  };
  try {
    const DATABASE_URL = postgres?.url ?? env.DATABASE_URL ?? '';
    const databaseUrl = (env.DATABASE_URL && env.DATABASE_DIRECT_URL) || DATABASE_URL;
    stop.signal.throwIfAborted();
    await untilDatabaseAnswers(
      { url: DATABASE_URL, directUrl: databaseUrl },
      { logger: { warn: (_, text) => console.error(`assay start: ${text}`) }, stopAsked: stop.asked },
    );
    stop.signal.throwIfAborted();
    await migrate(databaseUrl);
    stop.signal.throwIfAborted();
    return { environment: { ASSAY_SECRET, DATABASE_URL }, databaseUrl, parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startDatabase({ dataFolder }: LocalSettings, stop: StopRequest): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir: databaseIn(dataFolder) });
  void postgres.lost.then(({ wasAsked }) =>
    stop.ask(wasAsked ? undefined : new Error('The embedded database stopped unexpectedly.')),
  );
  return postgres;
}

/** The settings of the embedded provider, which `assay token` needs too. */
export function identityEnvironment(
  issuer: string,
  { publicUrl }: Pick<LocalSettings, 'publicUrl'>,
  env: NodeJS.ProcessEnv,
) {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: env.OIDC_CLIENT_ID || defaultOf('oidcClientId'),
    OIDC_AUDIENCE: env.OIDC_AUDIENCE || audienceOf(publicUrl),
    OIDC_TOKEN_TYPES: 'at+jwt',
  };
}
