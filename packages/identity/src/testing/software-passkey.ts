import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const flags = { present: 0x01, verified: 0x04, withKey: 0x40 };
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** An authenticator in a few lines: makes one passkey (ES256, no attestation) and signs with it, as WebAuthn §6 has it. */
export class SoftwarePasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  readonly #origin: string;
  /** How often it signed; 0 for one that does not count. */
  counter = 0;
  /** Whether the person unlocked it with a finger or a PIN. */
  isUnlocked = true;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  /** Answers `navigator.credentials.create`. */
  make({ challenge }: { challenge: string }, { origin = this.#origin } = {}): string {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coseKey = Buffer.concat([
      Buffer.from('a501020326200121', 'hex'),
      ...[x, Buffer.from('22', 'hex'), y].map((part) =>
        typeof part === 'string'
          ? Buffer.concat([Buffer.from('5820', 'hex'), Buffer.from(part, 'base64url')])
          : part,
      ),
    ]);
    const idLength = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([
      this.#authenticatorData(flags.withKey),
      Buffer.alloc(16),
      idLength,
      this.#id,
      coseKey,
    ]);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  use({ challenge }: { challenge: string }, { origin = this.#origin } = {}): string {
    const client = clientData('webauthn.get', challenge, origin);
    const data = this.#authenticatorData(0);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #authenticatorData(extra: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flag = flags.present | (this.isUnlocked ? flags.verified : 0) | extra;
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.from([flag]), counter]);
  }

  #answer(response: object): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });
  }
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
