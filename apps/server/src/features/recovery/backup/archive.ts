import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/**
 * A backup before compression and encryption: entries one after the other, then a manifest that lists them. Every piece
 * is a frame: one byte for its kind, four for its length, and its bytes. The manifest comes last because sizes, rows and
 * checksums are known only then; a file without it was cut short.
 */
const frames = { entry: 1, data: 2, manifest: 3 } as const;
const headBytes = 5;
const frameBytesMax = 64 * 1024 * 1024;

const formatVersion = 1;

/** What an entry contains: the schema, the rows of a table, an uploaded file, or the secrets. */
const entryHead = z.strictObject({
  kind: z.enum(['schema', 'table', 'file', 'secrets']),
  name: z.string().check(z.maxLength(1_000)),
  columns: z.optional(z.array(z.string())),
});
export type EntryHead = z.infer<typeof entryHead>;

const entrySummary = z.strictObject({
  kind: z.string(),
  name: z.string(),
  byteCount: z.number(),
  rowCount: z.nullable(z.number()),
  sha256: z.string(),
});
type EntrySummary = z.infer<typeof entrySummary>;

/** What the backup is of. */
const origin = z.strictObject({
  version: z.string(),
  commit: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  /** Names of the migrations that the database has. */
  migrations: z.array(z.string()),
});
export type Origin = z.infer<typeof origin>;

const manifestSchema = z.strictObject({
  format: z.literal(formatVersion),
  origin,
  entries: z.array(entrySummary),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The bytes are not a whole backup. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';

  constructor(cause?: unknown) {
    super('This backup is incomplete or was changed. Use another one.', { cause });
  }
}

export interface EntrySource {
  readonly head: EntryHead;
  readonly bytes: AsyncIterable<Buffer>;
  /** Known when all bytes were read. */
  readonly rowCount?: () => number;
}

/** Entries are read one at a time, as fast as the caller takes the frames. */
export async function* writeArchive(
  entries: AsyncIterable<EntrySource>,
  from: Origin,
): AsyncGenerator<Buffer> {
  const summaries: EntrySummary[] = [];
  for await (const { head, bytes, rowCount } of entries) {
    yield* frameOf(frames.entry, json(head));
    const hash = createHash('sha256');
    let byteCount = 0;
    for await (const piece of bytes) {
      if (piece.length === 0) continue;
      hash.update(piece);
      byteCount += piece.length;
      yield* frameOf(frames.data, piece);
    }
    const { kind, name } = head;
    summaries.push({ kind, name, byteCount, rowCount: rowCount?.() ?? null, sha256: hash.digest('hex') });
  }
  const manifest: Manifest = { format: formatVersion, origin: from, entries: summaries };
  yield* frameOf(frames.manifest, json(manifest));
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

function* frameOf(kind: number, bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start === 0 || start < bytes.length; start += frameBytesMax) {
    const part = bytes.subarray(start, start + frameBytesMax);
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(kind);
    head.writeUInt32BE(part.length, 1);
    yield head;
    yield part;
  }
}

/**
 * Hands each entry to `take`, which must read all of its bytes, and returns the manifest. Throws `BackupDamaged` if
 * anything is missing, added or different. What was taken counts only when this returns.
 */
export async function readArchive(
  stream: AsyncIterable<Buffer>,
  take: (head: EntryHead, bytes: AsyncIterable<Buffer>) => Promise<{ rowCount: number | null }>,
): Promise<Manifest> {
  const reader = createReader(stream);
  const summaries: EntrySummary[] = [];
  let frame = await reader.next();
  while (frame.kind === frames.entry) {
    const head = parse(entryHead, frame.bytes);
    const hash = createHash('sha256');
    let byteCount = 0;
    async function* bytesOfEntry(): AsyncGenerator<Buffer> {
      for (frame = await reader.next(); frame.kind === frames.data; frame = await reader.next()) {
        hash.update(frame.bytes);
        byteCount += frame.bytes.length;
        yield frame.bytes;
      }
    }
    const { rowCount } = await take(head, bytesOfEntry());
    summaries.push({
      kind: head.kind,
      name: head.name,
      byteCount,
      rowCount,
      sha256: hash.digest('hex'),
    });
  }
  if (frame.kind !== frames.manifest) throw new BackupDamaged();
  const manifest = parse(manifestSchema, frame.bytes);
  await reader.end();
  requireEqual(manifest.entries, summaries);
  return manifest;
}

/** `take` may not count rows, for example while it only checks. */
function requireEqual(listed: readonly EntrySummary[], found: readonly EntrySummary[]): void {
  const isEqual =
    listed.length === found.length &&
    listed.every((entry, index) => {
      const other = found[index];
      return (
        other !== undefined &&
        entry.kind === other.kind &&
        entry.name === other.name &&
        entry.byteCount === other.byteCount &&
        entry.sha256 === other.sha256 &&
        (other.rowCount === null || entry.rowCount === other.rowCount)
      );
    });
  if (!isEqual) throw new BackupDamaged();
}

function parse<Value>(schema: z.ZodMiniType<Value>, bytes: Buffer): Value {
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new BackupDamaged(error);
  }
}

function createReader(stream: AsyncIterable<Buffer>) {
  const source = stream[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);

  /** Null at the end of the stream, if that is where these bytes would begin. */
  async function take(byteCount: number): Promise<Buffer | null> {
    const pieces = [pending];
    let length = pending.length;
    while (length < byteCount) {
      const { done, value } = await source.next();
      if (done) {
        if (length === 0) return null;
        throw new BackupDamaged();
      }
      pieces.push(value);
      length += value.length;
    }
    const all = pieces.length === 1 ? pending : Buffer.concat(pieces, length);
    pending = all.subarray(byteCount);
    return all.subarray(0, byteCount);
  }

  return {
    next: async (): Promise<{ kind: number; bytes: Buffer }> => {
      const head = await take(headBytes);
      const length = head?.readUInt32BE(1) ?? 0;
      if (!head || length > frameBytesMax) throw new BackupDamaged();
      const bytes = length === 0 ? Buffer.alloc(0) : await take(length);
      if (!bytes) throw new BackupDamaged();
      return { kind: head.readUInt8(), bytes };
    },
    end: async (): Promise<void> => {
      if (await take(1)) throw new BackupDamaged();
    },
  };
}
