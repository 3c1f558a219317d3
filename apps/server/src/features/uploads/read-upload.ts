import { PEOPLE_FIELDS } from '@assay/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../platform/errors/index.ts';
import { isDiskFull } from '../../platform/files/disk-full.ts';
import { requireValid } from '../../platform/http/index.ts';
import type { IncomingFile } from './incoming-file.ts';
import { brokenForm, readForm } from './read-form.ts';

/** As long as names in file systems are. It is stored and answered with the list. */
const fileNameLengthMax = 255;

/** What a call does with its file. */
export interface FileTaking<Taken, Fields = unknown> {
  /** Reads the file while it streams in. `fields` are those that came before it. */
  take(file: IncomingFile, fields: Fields): Promise<Taken>;
  /** Undoes that when the rest of the request is refused. */
  discard(taken: Taken): Promise<void>;
}

/** Reads a form with at most one file, which streams to `take`; the contract checks the fields. */
export async function readFileForm<Body extends z.ZodMiniType, Taken>(
  request: FastifyRequest,
  body: Body,
  { take, discard }: FileTaking<Taken, z.output<Body>>,
): Promise<{ taken: Taken | undefined; fields: z.output<Body> }> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media_type', {}, { text: 'Send the file as multipart/form-data.' });
  }
  const fields: Record<string, unknown> = {};
  let taken: Taken | undefined;
  const client = watchClient(request);
  try {
    for await (const part of readForm(request)) {
      if (part.type === 'field') {
        if (taken !== undefined && neededBeforeFile.has(part.fieldname)) throw tooLate(part.fieldname);
        fields[part.fieldname] = part.value;
        continue;
      }
      // Checks the fields before the file and its name first, so that we do not store a file in vain.
      fields[part.fieldname] = standInFor(part);
      const before = requireValid(body, fields);
      if (taken !== undefined) throw secondFile(part);
      const file = {
        name: part.filename.slice(0, fileNameLengthMax),
        bytes: part.file,
        signal: client.signal,
        ...sizeOf(request),
      };
      taken = await take(file, before).catch((error) => {
        // We stop reading a file that we refuse, which its stream reports as an error.
        const isOurTrouble = error instanceof AppError || isDiskFull(error);
        throw isOurTrouble || !part.file.errored ? error : brokenForm(part.file.errored);
      });
    }
    return { taken, fields: requireValid(body, fields) };
  } catch (error) {
    drain(request);
    if (taken !== undefined) await discard(taken);
    throw client.signal.aborted && !(error instanceof AppError) ? brokenForm(error) : error;
  } finally {
    client.leave();
  }
}

/** Tells when the client closes its connection. */
function watchClient({ raw: { socket } }: FastifyRequest): { signal: AbortSignal; leave: () => void } {
  const gone = new AbortController();
  const abort = () => gone.abort();
  socket.once('close', abort);
  return { signal: gone.signal, leave: () => socket.off('close', abort) };
}

/** The fields that say how to read a file, which is read while it arrives. */
const neededBeforeFile = new Set([
  'sheet',
  'email_column',
  'ignore_suppression',
  ...PEOPLE_FIELDS.map((field) => `${field}_column`),
]);

const tooLate = (field: string): AppError =>
  new AppError(
    'invalid_request',
    {},
    { text: `${field} comes after the file. Send it before the file.`, meta: { field } },
  );

/** The length of the form is an upper bound for its file. */
function sizeOf({ headers }: FastifyRequest): { bytesAtMost?: number } {
  const formBytes = Number(headers['content-length']);
  return Number.isSafeInteger(formBytes) ? { bytesAtMost: formBytes } : {};
}

/**
 * Stands in for the file when the contract checks the fields; the contents stream elsewhere. A part without a file name,
 * which the parser's types do not allow, is not a file.
 */
const standInFor = ({ filename }: { readonly filename?: string }): File | null =>
  filename === undefined ? null : new File([], filename);

const secondFile = ({ fieldname }: MultipartFile): AppError =>
  new AppError(
    'invalid_request',
    {},
    { text: 'Send one file at a time, as list_raw.', meta: { field: fieldname } },
  );

/** Reads and drops the rest of a refused request, so that its connection does not hang. */
function drain({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}
