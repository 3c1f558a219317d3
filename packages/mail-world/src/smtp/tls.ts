import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

let secureContext: SecureContext | undefined;

/**
 * Goes on over TLS on an open connection. The certificate is self-signed, as on many mail hosts, and its key is
 * public: it stands beside this file and protects nothing.
 */
export function startTls(socket: Socket): TLSSocket {
  secureContext ??= createSecureContext({
    key: readFileSync(new URL('./world.key.pem', import.meta.url)),
    cert: readFileSync(new URL('./world.certificate.pem', import.meta.url)),
  });
  return new TLSSocket(socket, { isServer: true, secureContext });
}
