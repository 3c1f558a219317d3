import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * Opportunistic encryption, RFC 7435: nothing that is said to a mail host is secret, and a host with a self-signed or
 * expired certificate is the domain's mail host all the same, so certificates are not checked. It is done because some
 * hosts insist, and because a question about a mailbox should not be read on the way.
 * See docs/decisions/verifier-tls.md.
 */
export function encrypt(plain: Socket, host: string): TLSSocket {
  // Loaded only when a host speaks TLS: it is the slowest of Node's own modules to load.
  const { connect } = process.getBuiltinModule('node:tls');
  return connect({
    socket: plain,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
  });
}
