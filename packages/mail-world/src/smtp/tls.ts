import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

let secureContext: SecureContext | undefined;

/** The name of the certificate; `*.test` is in it too. */
export const certificateName = 'mail-world.test';

/**
 * A certificate that is self-signed, as on many mail hosts. Its key is public and protects nothing: only hosts on loopback use it.
 * `node:crypto` cannot issue certificates, so this one is checked in. To renew it:
 *
 *     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=mail-world.test \
 *       -addext subjectAltName=DNS:mail-world.test,DNS:*.test -keyout world.key.pem -out world.certificate.pem
 */
export const readCertificate = (): { readonly key: Buffer; readonly cert: Buffer } => ({
  key: readFileSync(new URL('./world.key.pem', import.meta.url)),
  cert: readFileSync(new URL('./world.certificate.pem', import.meta.url)),
});

/** Continues over TLS on an open connection. */
export function startTls(socket: Socket): TLSSocket {
  secureContext ??= createSecureContext(readCertificate());
  return new TLSSocket(socket, { isServer: true, secureContext });
}
