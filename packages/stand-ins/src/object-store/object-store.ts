import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Bucket } from './bucket.ts';
import { StoreRefusal } from './errors.ts';
import { type Answer, type Operation, operationOf, operations } from './operations.ts';
import { readPayload } from './payload.ts';
import { type Credentials, checkSignature } from './signature.ts';

export interface ObjectStoreOptions {
  readonly buckets?: readonly string[];
  readonly region?: string;
  /** Keys that one listing shows at the most; S3 itself shows a thousand, or fewer as it likes. */
  readonly pageKeys?: number;
}

export interface ObjectStore {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** What was asked for so far, call by call. */
  readonly calls: readonly Operation[];
  bucket(name: string): Bucket;
  /** From now on the key that callers have may not do this, until it is allowed again by what this answers. */
  forbid(operation: Operation): () => void;
  /** The next object that is read ends in the middle, with its connection. */
  cutNextRead(): void;
  close(): Promise<void>;
}

/** An S3-compatible store on loopback, addressed by path, which forgets everything when it is closed. */
export async function startObjectStore(options: ObjectStoreOptions = {}): Promise<ObjectStore> {
  const { region = 'us-east-1', pageKeys = 1_000 } = options;
  const credentials = {
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
  };
  const buckets = new Map((options.buckets ?? ['assay']).map((name) => [name, new Bucket()]));
  const calls: Operation[] = [];
  const forbidden = new Set<Operation>();
  const isForbidden = (operation: Operation) => forbidden.has(operation);
  let isReadCut = false;

  const findBucket = (name: string): Bucket => {
    const bucket = buckets.get(name);
    if (!bucket) throw new StoreRefusal('NoSuchBucket', 'The specified bucket does not exist.');
    return bucket;
  };

  const respond = async (incoming: IncomingMessage): Promise<Answer> => {
    const body = await buffer(incoming);
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://store');
    const headers = incoming.headers as Record<string, string | undefined>;
    const method = incoming.method ?? 'GET';
    checkSignature({ method, path, query, headers }, { credentials, region, now: new Date() });
    const payload = readPayload(body, headers);
    const [, bucketName = '', ...keyParts] = decodeURIComponent(path).split('/');
    const key = keyParts.join('/');
    const bucket = findBucket(bucketName);
    const operation = operationOf(method, key !== '', query);
    calls.push(operation);
    if (isForbidden(operation)) throw new StoreRefusal('AccessDenied', 'Access Denied');
    return operations[operation]({ bucket, key, query, headers, payload, pageKeys, isForbidden });
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const answer = await respond(incoming).catch(answerTo);
    const body = Buffer.from(answer.body ?? '');
    outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
    if (isReadCut && calls.at(-1) === 'GetObject') {
      isReadCut = false;
      outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
      return;
    }
    outgoing.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('error', () => undefined);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region,
    credentials,
    calls,
    bucket: findBucket,
    forbid: (operation) => {
      forbidden.add(operation);
      return () => forbidden.delete(operation);
    },
    cutNextRead: () => {
      isReadCut = true;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answerTo(error: unknown): Answer {
  if (!(error instanceof StoreRefusal)) throw error;
  return { status: error.status, headers: { 'content-type': 'application/xml' }, body: error.body };
}
