import { readFile } from 'node:fs/promises';
import {
  JSON_LIST,
  KEY_SCOPES,
  PAGE_SIZE_MAX,
  SANDBOX_EMAILS_MAX,
  SCOPED_KEYS,
  WAIT_SECONDS_MAX,
  WEBHOOKS,
} from '@assay/contract';
import { type Result, reasons, results } from '@assay/verifier';
import type { Config } from '../../platform/config/index.ts';
import { type ErrorCode, errorTable } from '../../platform/errors/index.ts';
import type { Operation } from './reference/operations.ts';

/** Values of `{{name}}` in the texts: generated tables, and the URLs of this installation. */
export type GuideParts = Readonly<Record<string, string>>;

const clientPackage = new URL('../../../../../packages/client/package.json', import.meta.url);
const readClientVersion = async (): Promise<string> =>
  JSON.parse(await readFile(clientPackage, 'utf8')).version;

const mailWorldPage = new URL('../../../../../docs/mail-world.md', import.meta.url);
const addressesBegin = '<!-- The tables below';

export async function readGuideParts(
  config: Pick<Config, 'publicUrl' | 'http' | 'uploads' | 'webhooks' | 'sandbox'>,
  operations: readonly Pick<Operation, 'contract' | 'path'>[],
  /** Whose errors the reader can get beside those of everyone. */
  audiences: ReadonlySet<string>,
): Promise<GuideParts> {
  return {
    api: `${config.publicUrl}/api`,
    mcp: `${config.publicUrl}/mcp`,
    'client-package': `${config.publicUrl}/downloads/assay-client-${await readClientVersion()}.tgz`,
    verdicts: verdictSections(),
    errors: errorRows(audiences),
    limits: limitRows(config),
    'scoped-calls': scopedCalls(operations),
    loopback:
      config.webhooks.allowRanges.length > 0
        ? ' On this installation, plain http to a receiver on your own machine also works for tests.'
        : '',
    'sandbox-note': config.sandbox
      ? ''
      : ' **The operator of this installation has not turned the sandbox on**: such calls are refused here.',
    'sandbox-addresses': await sandboxAddresses(),
  };
}

/** Replaces each `{{name}}`; throws for an unknown name. */
export function fillIn(text: string, parts: GuideParts): string {
  return text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no value for {{${name}}}.`);
    return part;
  });
}

function verdictSections(): string {
  return (Object.keys(results) as Result[]).map(verdictSection).join('\n');
}

function verdictSection(result: Result): string {
  const rows = Object.entries(reasons)
    .filter(([, reason]) => reason.result === result)
    .map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`);
  return [`## ${result}`, '', results[result], '', '| reason | meaning |', '|---|---|', ...rows, ''].join(
    '\n',
  );
}

function errorRows(audiences: ReadonlySet<string>): string {
  const rows = Object.entries<(typeof errorTable)[ErrorCode] & { onlyFor?: string }>(errorTable)
    .filter(([, { onlyFor }]) => onlyFor === undefined || audiences.has(onlyFor))
    .map(([code, { status, text }]) => `| \`${code}\` | ${status} | ${text} |`);
  return ['| code | status | message |', '|---|---|---|', ...rows].join('\n');
}

/** Which calls each scope opens, from the contract. */
function scopedCalls(operations: readonly Pick<Operation, 'contract' | 'path'>[]): string {
  const rows = [...KEY_SCOPES, 'any' as const].flatMap((scope) => {
    const opened = operations.filter(({ contract }) => contract.keyScope === scope);
    if (opened.length === 0) return [];
    const names = opened.map(({ contract, path }) => `\`${contract.method} ${path}\``);
    return [`| ${scope === 'any' ? 'none' : `\`${scope}\``} | ${names.join('<br>')} |`];
  });
  return ['| scope | calls |', '|---|---|', ...rows].join('\n');
}

function limitRows({ http, uploads }: Pick<Config, 'http' | 'uploads'>): string {
  const rows = [
    ['Calls per minute of one customer', number(http.requestsPerCustomer)],
    ['Calls per minute from one network address', number(http.requestsPerAddress)],
    ['Largest `wait`, in seconds', number(WAIT_SECONDS_MAX)],
    ['Entries on a page', number(PAGE_SIZE_MAX)],
    ['Size of a JSON body', bytes(http.bodyLimitBytes)],
    ['Addresses of a list sent as JSON', number(JSON_LIST.emailsMax)],
    ['Addresses of a list of the sandbox', number(SANDBOX_EMAILS_MAX)],
    ['Size of a file', bytes(uploads.bytesMax)],
    ['Rows of a file', number(uploads.rowsMax)],
    ['Space for your files, which we keep for a day, verified or not', bytes(uploads.storedBytesPerCustomer)],
    ['Name of a list', '2 to 20 characters'],
    ['Further API keys', number(SCOPED_KEYS.countMax)],
    ['Webhooks', number(WEBHOOKS.countMax)],
  ];
  return ['| what | limit |', '|---|---|', ...rows.map(([what, limit]) => `| ${what} | ${limit} |`)].join(
    '\n',
  );
}

const number = (value: number): string => value.toLocaleString('en-US');

function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  return `${number(Math.round((count / 1024 ** power) * 10) / 10)} ${units[power]}`;
}

/** The names to try, from docs/mail-world.md, which the mail world's tests keep correct. */
async function sandboxAddresses(): Promise<string> {
  const page = await readFile(mailWorldPage, 'utf8');
  const tables = page.slice(page.indexOf(addressesBegin));
  return tables.slice(tables.indexOf('\n') + 1).replaceAll(/^### /gm, '## ');
}
