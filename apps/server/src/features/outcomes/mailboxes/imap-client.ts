import { isIP } from 'node:net';
import type { MailboxTrouble } from '@assay/contract';
import { createDialGuard } from '@assay/verifier';
import { type FetchMessageObject, type FetchQueryObject, ImapFlow } from 'imapflow';
import { ForbiddenAddress, lookupAllowed, type ResolveHost } from '../../webhooks/index.ts';

export interface ImapOptions {
  /** Private ranges that may be dialled. */
  readonly allowRanges: readonly string[];
  /** The system's resolver by default. */
  readonly resolve?: ResolveHost;
  /** Instead of the certificate authorities of Node. */
  readonly ca?: string;
  readonly port?: number;
  /** How long a connection may last, whatever the host does. A host that sends a little now and then is never silent. */
  readonly connectionMs?: number;
}

/** Where a mailbox is, and who reads it. */
export interface MailboxLogin {
  readonly host: string;
  readonly userName: string;
  readonly password: string;
  readonly folder: string;
}

/** Why a mailbox cannot be read; the customer hears of it. */
export class MailboxFailure extends Error {
  readonly trouble: MailboxTrouble;
  constructor(trouble: MailboxTrouble, cause?: unknown) {
    super(trouble, { cause });
    this.trouble = trouble;
  }
}

/** An open folder. */
export interface OpenFolder {
  readonly uidValidity: number;
  /** The number that the next mail gets. */
  readonly uidNext: number;
  /** The mails with numbers in a range, and how long they are. */
  sizes(range: { readonly from: number; readonly to: number }): Promise<MailSize[]>;
  /** Mails by number, each as far as `bytesMax`. */
  mails(uids: readonly number[], bytesMax: number): Promise<FolderMail[]>;
}

interface MailSize {
  readonly uid: number;
  readonly byteCount: number;
}

interface FolderMail {
  readonly uid: number;
  readonly bytes: Buffer;
}

const imapPort = 993;
const connectMs = 15_000;
const greetingMs = 10_000;
const silenceMs = 30_000;
/** What a hostile host may make us hold: a mail, and little around it. */
const lineBytesMax = 1_000_000;
const mailBytesMax = 2_000_000;
const responseBytesMax = 3_500_000;
const connectionMsMax = 60_000;
/** Of a connection: what a run reads, and as much again around it. */
const receivedBytesMax = 120_000_000;
const receivedCheckMs = 250;
/** Of an answer with mails. Hosts say before how long mails are, and some say less. */
const mailsBytesMax = 20_000_000;
/** Hosts also send news of mails that nobody asked for. */
const unaskedRowsMax = 1_000;
/** Numbers of mails have 32 bits. */
const uidNextMax = 2 ** 32;

/**
 * Opens a folder so that nothing in it changes (EXAMINE), and closes the connection afterwards. The host is looked up at each
 * connection, and only dialled at addresses on the internet.
 */
export async function withFolder<Result>(
  login: MailboxLogin,
  { allowRanges, resolve, ca, port = imapPort, connectionMs = connectionMsMax }: ImapOptions,
  signal: AbortSignal,
  use: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const guard = createDialGuard(port, allowRanges);
  const mayDial = (address: string): boolean => {
    const permission = guard.check(address);
    return permission.allowed && permission.port === port;
  };
  // A literal address is dialled without a lookup.
  if (isIP(login.host) !== 0 && !mayDial(login.host)) throw new MailboxFailure('not_allowed');
  const client = new ImapFlow({
    host: login.host,
    port,
    secure: true,
    auth: { user: login.userName, pass: login.password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    disableAutoEnable: true,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    maxLineLength: lineBytesMax,
    maxLiteralSize: mailBytesMax,
    maxResponseSize: responseBytesMax,
    tls: { lookup: lookupAllowed({ mayDial, resolve }), ...(ca && { ca }) } as object,
  });
  // A call in progress fails with the same error.
  client.on('error', () => undefined);
  let trouble: MailboxTrouble | undefined;
  const leave = () => client.close();
  const leaveFor = (reason: MailboxTrouble) => {
    trouble ??= reason;
    leave();
  };
  signal.addEventListener('abort', leave, { once: true });
  const deadline = setTimeout(leaveFor, connectionMs, 'slow');
  const watch = setInterval(() => {
    if (client.stats().received > receivedBytesMax) leaveFor('broken');
  }, receivedCheckMs);
  try {
    await client.connect().catch(failAs(connectTrouble));
    const folder = await client.mailboxOpen(login.folder, { readOnly: true }).catch(failAs(openTrouble));
    const fetchAll = async (range: string, query: FetchQueryObject, rowsMax: number) => {
      const rows: FetchMessageObject[] = [];
      let byteCount = 0;
      for await (const row of client.fetch(range, { uid: true, ...query }, { uid: true })) {
        byteCount += row.source?.length ?? 0;
        if (rows.push(row) > rowsMax + unaskedRowsMax || byteCount > mailsBytesMax)
          throw new Error('The host sends more than it was asked for.');
      }
      return rows;
    };
    const lastUid = async (): Promise<number> =>
      folder.exists > 0 ? Math.max(0, ...(await fetchAll('*', {}, 1)).map(({ uid }) => uid)) : 0;
    const asked = failAs(() => 'broken' as const);
    const result = await use({
      uidValidity: Number(BigInt.asUintN(53, folder.uidValidity ?? 0n)),
      uidNext: Math.min(folder.uidNext ?? (await lastUid().catch(asked)) + 1, uidNextMax),
      sizes: async ({ from, to }) =>
        (await fetchAll(`${from}:${to}`, { size: true }, to - from + 1).catch(asked)).map(
          ({ uid, size = 0 }) => ({ uid, byteCount: size }),
        ),
      mails: async (uids, bytesMax) =>
        (
          await fetchAll(uids.join(','), { source: { start: 0, maxLength: bytesMax } }, uids.length).catch(
            asked,
          )
        ).flatMap(({ uid, source }) => (source ? [{ uid, bytes: source.subarray(0, bytesMax) }] : [])),
    });
    await client.logout().catch(() => undefined);
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw trouble ? new MailboxFailure(trouble, error) : error;
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
    signal.removeEventListener('abort', leave);
    client.close();
  }
}

const failAs =
  (troubleOf: (error: unknown) => MailboxTrouble) =>
  (error: unknown): never => {
    throw new MailboxFailure(troubleOf(error), error);
  };

interface ConnectError {
  readonly authenticationFailed?: boolean;
  readonly code?: string;
}

/** A host that refuses says so; else the connection ended. */
const openTrouble = (error: unknown): MailboxTrouble =>
  (error as { readonly responseStatus?: string }).responseStatus === undefined ? 'broken' : 'folder';

function connectTrouble(error: unknown): MailboxTrouble {
  if (error instanceof ForbiddenAddress) return 'not_allowed';
  const { authenticationFailed, code = '' } = error as ConnectError;
  if (authenticationFailed) return 'sign_in';
  return /CERT|SIGNATURE|ALTNAME|SELF_SIGNED|ISSUER/.test(code) ? 'certificate' : 'not_reached';
}
