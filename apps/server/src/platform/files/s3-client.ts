import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../config/index.ts';

export type S3Location = Extract<Config['files'], { kind: 's3' }>;

const patience = {
  connectionTimeout: 5_000,
  /** From the start of a request to the start of its answer; includes sending a part of a file. */
  requestTimeout: 60_000,
  throwOnRequestTimeout: true,
  /** For a file that stops coming. Long, since rows that are copied from it may have to wait for the database. */
  socketTimeout: 300_000,
};

/** The only file that knows how Amazon's client is set up, for Amazon's store and for those that speak like it. */
export function createS3Client({ endpoint, region, credentials }: S3Location): S3Client {
  const client = new S3Client({
    region,
    // Without keys of ours, the library looks where Amazon's tools look: AWS_* variables, profiles, the machine's role.
    ...(credentials && { credentials }),
    // A bucket of one's own store seldom has a name in the DNS.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Every upload is signed together with its SHA-256. The newer checksums on top of it are refused by many stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: patience,
  });
  addMd5ToDeletions(client);
  return client;
}

/** For deletions in batches Amazon takes a newer checksum too, which is what its library sends; others insist on this one. */
function addMd5ToDeletions(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        const { request } = call as { request: { body?: unknown; headers: Record<string, string> } };
        if (commandName === 'DeleteObjectsCommand' && typeof request.body === 'string') {
          request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
        }
        return next(call);
      },
    { step: 'build', name: 'md5OfDeletions' },
  );
}
