import type { S3Location } from './s3-client.ts';

/** What the store says when it cannot be used, by the names of its errors, and what to do about it. */
const remedies: Record<string, string> = {
  NoSuchBucket: 'There is no such bucket: create it, or correct ASSAY_FILES.',
  InvalidAccessKeyId: 'It does not know the access key: correct S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The secret does not belong to the access key: correct S3_SECRET_ACCESS_KEY.',
  AccessDenied:
    'The access key may not do all that is needed: allow it to list, read, write and delete there (docs/operations.md).',
  PermanentRedirect: 'The bucket is in another region: correct S3_REGION.',
  AuthorizationHeaderMalformed: 'The bucket is in another region: correct S3_REGION.',
  CredentialsProviderError:
    'No credentials were found: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give this machine a role.',
};
const unreachable = 'It cannot be reached: start it, or correct S3_ENDPOINT.';
const otherwise = 'Correct ASSAY_FILES and the S3_ settings, or the store itself.';

/** A start that fails for the file store tells which store, what it said and what to change; never a key. */
export function explainRefusal(error: unknown, { bucket, prefix, endpoint }: S3Location): Error {
  const { name, message, code } = error as NodeJS.ErrnoException;
  // The system's own errors have a code, those of the store a name.
  const isOnTheWay = code !== undefined || name === 'TimeoutError';
  const remedy = remedies[name] ?? (isOnTheWay ? unreachable : otherwise);
  const store = `s3://${bucket}/${prefix}${endpoint ? ` at ${endpoint}` : ''}`;
  return new Error(`The file store ${store} cannot be used. ${remedy} (${code ?? name}: ${message})`, {
    cause: error,
  });
}
