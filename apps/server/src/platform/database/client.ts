import pg from 'pg';

/** A connection to PostgreSQL was refused for a reason that changing a setting mends. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
  readonly reason: string;
  readonly fix: string;

  constructor({ reason, fix }: { reason: string; fix: string }, cause: unknown) {
    super(`${reason} ${fix}`, { cause });
    this.reason = reason;
    this.fix = fix;
  }
}

/** A connection of pg that says what to change when it cannot be opened. */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    try {
      super(config);
    } catch (error) {
      throw explainFiles(error as NodeJS.ErrnoException);
    }
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const { promise, resolve, reject } = Promise.withResolvers<this>();
    super.connect((error: Error | undefined) => {
      const explained = error && explain(error, this);
      if (callback) callback(explained as Error);
      else if (explained) reject(explained);
      else resolve(this);
    });
    return callback ? undefined : promise;
  }
}

function explain(error: Error, { host, port }: pg.Client): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  const server = `PostgreSQL at ${host}:${port}`;
  const refused = (reason: string, fix: string) => new DatabaseRefused({ reason, fix }, error);
  // The words of pg.
  if (error.message === 'timeout expired')
    return new Error(`${server} did not answer in time. Check its address, and whether it is overloaded.`, {
      cause: error,
    });
  if (error.message === 'The server does not support SSL connections')
    return refused(`${server} offers no TLS.`, 'Set `ssl = on` there, or take `sslmode` out of the address.');
  // What PostgreSQL says when pg_hba.conf lets only TLS in.
  if (code === '28000' && error.message.endsWith('no encryption'))
    return refused(
      `${server} takes no connection without TLS.`,
      'Add `?sslmode=verify-full` to the address.',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return refused(
      `The certificate of ${server} is for another name.`,
      'Use a name of the certificate in the address, or give the server one for this name.',
    );
  if (code === 'CERT_HAS_EXPIRED')
    return refused(`The certificate of ${server} has expired.`, 'Renew it and reload PostgreSQL.');
  if (untrusted.test(code))
    return refused(
      `The certificate of ${server} is of an authority that this process does not trust (${code}).`,
      'Name the file with the certificate of that authority in the address, `?sslmode=verify-full&sslrootcert=/etc/assay/ca.pem`, or in NODE_EXTRA_CA_CERTS.',
    );
  return error;
}

/** Codes of OpenSSL. */
const untrusted = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET|VERIFY)|^CERT_(?:SIGNATURE_FAILURE|UNTRUSTED)/;

/** The address may name files: the authority, and a certificate and key of our own. */
function explainFiles(error: NodeJS.ErrnoException): Error {
  if (error.path === undefined) return error;
  return new DatabaseRefused(
    {
      reason: `The address of PostgreSQL names ${error.path}, which cannot be read (${error.code}).`,
      fix: 'Correct sslrootcert, sslcert or sslkey, or let the user of this process read the file.',
    },
    error,
  );
}
