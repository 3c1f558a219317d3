import { createKeyRing, type KeyRing, type Sealed } from '../../platform/crypto/key-ring.ts';
import type { MailboxTokens } from './providers/mailbox-gateway.ts';

/** Part of the encryption: changing it would make every token unreadable. */
const purpose = 'mailbox tokens';

/** Encrypts the secrets of a mailbox, each bound to the id of its row. */
export interface TokenVault {
  readonly ring: KeyRing;
  sealTokens(id: string, tokens: MailboxTokens): Sealed;
  openTokens(id: string, sealed: Sealed): MailboxTokens;
}

/** `ASSAY_SECRET` also decrypts, so that an operator can introduce separate keys at any time. */
export function createTokenVault(
  keys: readonly string[],
  installationSecret: string,
  previousSecrets: readonly string[] = [],
): TokenVault {
  const [first = installationSecret, ...others] = [
    ...new Set([...keys, installationSecret, ...previousSecrets]),
  ];
  const ring = createKeyRing(purpose, [first, ...others]);
  return {
    ring,
    sealTokens: (id, { accessToken, refreshToken }) =>
      ring.seal(id, JSON.stringify({ accessToken, refreshToken })),
    openTokens: (id, sealed) => JSON.parse(ring.open(id, sealed)) as MailboxTokens,
  };
}
