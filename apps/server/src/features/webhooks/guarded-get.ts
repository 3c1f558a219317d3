import { request } from 'node:https';
import { createDialGuard } from '@assay/verifier';
import { lookupAllowed, type ResolveHost } from './lookup-allowed.ts';

export interface GuardedGetOptions {
  /** Private ranges that may be dialled. */
  readonly allowRanges: readonly string[];
  /** The system's resolver by default. */
  readonly resolve?: ResolveHost;
  readonly port?: number;
  /** Instead of the certificate authorities of Node. */
  readonly ca?: string;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly text: string;
}

const timeoutMs = 5_000;
const answerBytesMax = 65_536;

/** Asks a host that others name, over TLS, at an address that we may dial, for an answer of at most 64 kB. Follows no redirect. */
export function guardedGet(
  url: string,
  { allowRanges, resolve, port = 443, ca }: GuardedGetOptions,
): Promise<GuardedAnswer> {
  const guard = createDialGuard(port, allowRanges);
  const mayDial = (address: string): boolean => {
    const permission = guard.check(address);
    return permission.allowed && permission.port === port;
  };
  return new Promise((found, failed) => {
    const asking = request(
      url,
      {
        port,
        ...(ca && { ca }),
        agent: false,
        lookup: lookupAllowed({ mayDial, resolve }),
        signal: AbortSignal.timeout(timeoutMs),
      },
      async (answer) => {
        try {
          const parts: Buffer[] = [];
          let byteCount = 0;
          for await (const part of answer) {
            parts.push(part as Buffer);
            byteCount += (part as Buffer).length;
            if (byteCount > answerBytesMax) throw new Error('The answer is longer than 64 kB.');
          }
          found({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
        } catch (error) {
          asking.destroy();
          failed(error);
        }
      },
    );
    asking.on('error', failed).end();
  });
}
