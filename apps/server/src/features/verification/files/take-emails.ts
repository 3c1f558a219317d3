import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { discardStored, inOrder } from '../../uploads/index.ts';
import { withinSandbox } from '../sandbox.ts';
import { type EmailUpload, type EmailUploadParts, storeEmailFile } from './email-uploads.ts';
import { type EmailsBody, emailsBodyJob, emailsDelimiter, emailsHeader } from './emails-body.ts';

const pieceBytes = 64 * 1024;

/** Reads a JSON body of addresses where it delays no other call. */
export const readEmailsBody =
  ({ readingPool }: EmailUploadParts) =>
  async (
    body: Buffer,
    { caller }: Pick<FastifyRequest, 'caller'>,
    signal: AbortSignal,
  ): Promise<EmailsBody> => {
    if (!caller) throw new AppError('unauthorized');
    const bytes = inOrder(piecesOf(body));
    const file = { ownerId: caller.accountId, byteCount: body.length, bytes, signal };
    return readingPool.read(emailsBodyJob, file, null).result;
  };

/**
 * Stores addresses from JSON as a CSV file, so that they are counted, verified and exported like any other list. `makeList` keeps
 * the upload, in the transaction of its list; without a list there is no upload, because no answer names it.
 */
export async function takeEmails<List>(
  parts: EmailUploadParts,
  ownerId: AccountId,
  { emailCount, csv }: EmailsBody,
  {
    isSandbox,
    ignoresSuppression,
    makeList,
  }: {
    readonly isSandbox: boolean;
    readonly ignoresSuppression: boolean;
    readonly makeList: (upload: EmailUpload) => Promise<List>;
  },
): Promise<List> {
  const { rowsMax } = isSandbox ? withinSandbox(parts.limits) : parts.limits;
  if (emailCount > rowsMax) {
    throw new AppError(
      'file_too_many_rows',
      {},
      { text: `emails holds more than ${rowsMax} addresses. Send fewer at once.`, meta: { rowsMax } },
    );
  }
  const file = {
    name: 'API list.csv',
    bytes: inOrder(piecesOf(csv)),
    bytesAtMost: csv.byteLength,
    encoding: 'utf-8',
  } as const;
  const { upload } = await storeEmailFile(parts, ownerId, file, { isSandbox, ignoresSuppression, dialect });
  try {
    if (upload.billable === 0 && upload.reading.suppressedHashes === null) {
      throw new AppError(
        'file_no_addresses',
        {},
        { text: 'None of the emails is an address that can be verified. Check them and try again.' },
      );
    }
    return await makeList(upload);
  } catch (error) {
    await discardStored(parts, ownerId, upload);
    throw error;
  }
}

/** Short ones, so that no step with them takes long. */
const piecesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer[] =>
  Array.from({ length: Math.ceil(byteLength / pieceBytes) }, (_, piece) => {
    const start = piece * pieceBytes;
    return Buffer.from(buffer, byteOffset + start, Math.min(pieceBytes, byteLength - start));
  });

const dialect = {
  delimiter: emailsDelimiter,
  quote: '"',
  emailColumn: 0,
  emailColumnName: emailsHeader,
  skippedRows: 0,
  emailColumnNames: [emailsHeader],
  ownColumns: [],
  isAddressList: false,
} as const;
