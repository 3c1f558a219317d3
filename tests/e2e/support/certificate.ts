import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';

export interface IssuedCertificate {
  /** Of the private authority, for programs that trust it (NODE_EXTRA_CA_CERTS). */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  /** How Chromium names the key that it is to trust. */
  readonly publicKeyHash: string;
}

const authorityName = 'Authority of an Assay test';
const dayMs = 24 * 60 * 60 * 1_000;

/** A new private authority, and its certificate for a name. `node:crypto` reads certificates only, so this writes them (RFC 5280). */
export function issueCertificate(name: string): IssuedCertificate {
  const authority = newKeyPair();
  const server = newKeyPair();
  const issue = (subject: string, key: KeyObject, extension: Buffer) =>
    writeCertificate({ subject, key, extension, signedBy: authority.privateKey });
  const isAuthority = extensionOf('551d13', sequence(der(0x01, Buffer.from([0xff]))));
  const isFor = extensionOf('551d11', sequence(der(0x82, Buffer.from(name))));
  const publicKey = server.publicKey.export({ type: 'spki', format: 'der' });
  return {
    authority: issue(authorityName, authority.publicKey, isAuthority),
    certificate: issue(name, server.publicKey, isFor),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKeyHash: createHash('sha256').update(publicKey).digest('base64'),
  };
}

const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface CertificateFields {
  readonly subject: string;
  readonly key: KeyObject;
  readonly extension: Buffer;
  readonly signedBy: KeyObject;
}

function writeCertificate({ subject, key, extension, signedBy }: CertificateFields): string {
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const fields = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    ecdsaWithSha256,
    nameOf(authorityName),
    sequence(time(Date.now() - dayMs), time(Date.now() + dayMs)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', fields, signedBy));
  return new X509Certificate(sequence(fields, ecdsaWithSha256, signature)).toString();
}

const nameOf = (text: string) =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(text)))));
const extensionOf = (id: string, value: Buffer) => sequence(objectId(id), der(0x04, value));
const time = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);

/** Tag, length and contents; lengths of 128 and more say first how many bytes they take. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), contents]);
}
