import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the rows of a backup cannot be read without. */
export interface KeptSecrets {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  readonly mailboxTokenKeys: readonly string[];
  /** Small files of the data folder, by name: keys of embedded parts. */
  readonly files: Readonly<Record<string, string>>;
}

const secretFile = 'secret';
const embeddedKeyFiles = ['payments-key', 'payments-webhook-secret'];

export interface SecretSources {
  readonly dataFolder: string;
  /** Null where the data folder has it. */
  readonly secret: string | null;
  readonly previousSecrets: readonly string[];
  readonly mailboxTokenKeys: readonly string[];
}

export async function readSecrets({
  dataFolder,
  secret,
  previousSecrets,
  mailboxTokenKeys,
}: SecretSources): Promise<KeptSecrets> {
  const files: Record<string, string> = {};
  for (const name of embeddedKeyFiles) {
    const text = await readKept(dataFolder, name);
    if (text !== null) files[name] = text;
  }
  const kept = secret ?? (await readKept(dataFolder, secretFile));
  if (!kept) throw new Error('ASSAY_SECRET is not set, and the data folder has none.');
  return { secret: kept, previousSecrets, mailboxTokenKeys, files };
}

/** Says what does not fit, or null. A process with other secrets could not read the rows. */
export function compareSecrets(kept: KeptSecrets, sources: SecretSources): string | null {
  const { secret, previousSecrets, mailboxTokenKeys } = sources;
  if (secret !== null && secret !== kept.secret && !previousSecrets.includes(kept.secret)) {
    return 'ASSAY_SECRET is not that of the backup.';
  }
  const readable = [secret, ...previousSecrets];
  if (kept.previousSecrets.some((earlier) => !readable.includes(earlier))) {
    return 'ASSAY_PREVIOUS_SECRETS lacks a secret of the backup.';
  }
  if (kept.mailboxTokenKeys.some((key) => !mailboxTokenKeys.includes(key))) {
    return 'MAILBOX_TOKEN_KEYS lacks a key of the backup.';
  }
  return null;
}

/** Writes what an embedded installation keeps in its data folder. A file that changes is kept as `NAME.before-restore`. */
export async function writeSecrets(kept: KeptSecrets, { dataFolder, secret }: SecretSources): Promise<void> {
  const files = secret === null ? { ...kept.files, [secretFile]: kept.secret } : kept.files;
  await mkdir(dataFolder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (name !== secretFile && !embeddedKeyFiles.includes(name)) continue;
    const path = join(dataFolder, name);
    const before = await readKept(dataFolder, name);
    if (before === text) continue;
    if (before !== null) await copyFile(path, `${path}.before-restore`);
    await writeFile(`${path}.part`, text, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }
}

/** As lines of an environment file. */
export function describeSecrets({ secret, previousSecrets, mailboxTokenKeys }: KeptSecrets): string {
  const lines = {
    ASSAY_SECRET: secret,
    ASSAY_PREVIOUS_SECRETS: previousSecrets.join(','),
    MAILBOX_TOKEN_KEYS: mailboxTokenKeys.join(','),
  };
  return Object.entries(lines)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const readKept = (dataFolder: string, name: string): Promise<string | null> =>
  readFile(join(dataFolder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
