import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { VERDICTS } from '@assay/contract';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { byteOrderMark, formatCell } from '../../../platform/csv/write-rows.ts';
import type { ListRow } from '../lists/lists.store.ts';
import type { ExportOrder } from './export-link.ts';

const addedColumns = ['result', 'reason'] as const;

type ExportedList = Pick<ListRow, 'delimiter' | 'header'>;

/**
 * The customer's own rows with result and reason added, streamed straight from the database at the pace at which they
 * are taken. The connection is returned when the stream ends, however it ends.
 */
export function streamExport(pool: pg.Pool, list: ExportedList, order: ExportOrder): Readable {
  const body = new UnescapeCopy();
  const lines = async () => {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await pipeline(client.query(copyTo(copyStatement(list, order))), body);
    } catch (error) {
      // Whoever reads `body` is told: a pipeline that breaks ends its parts with the error.
      failure = error as Error;
    } finally {
      // A COPY that was cut short leaves its connection in the middle of an answer.
      client.release(failure);
    }
  };
  return Readable.from(withHead(list, body, lines));
}

async function* withHead(
  list: ExportedList,
  body: Transform,
  start: () => Promise<void>,
): AsyncGenerator<Buffer> {
  const { delimiter, header } = list;
  const head = header === null ? '' : `${[header, ...addedColumns].join(delimiter)}\n`;
  yield Buffer.from(byteOrderMark + head);
  const done = start();
  yield* body as AsyncIterable<Buffer>;
  await done;
}

function copyStatement(list: ExportedList, order: ExportOrder): string {
  // COPY takes no parameters. What is written into it are two ids, one of four delimiters and names of verdicts.
  const owner = pg.escapeLiteral(order.ownerId);
  const listId = pg.escapeLiteral(order.listId);
  const delimiter = pg.escapeLiteral(list.delimiter);
  const verdicts = order.verdicts.map((verdict) => pg.escapeLiteral(verdict)).join(', ');
  const isWanted = VERDICTS.every((verdict) => order.verdicts.includes(verdict))
    ? 'true'
    : `result.verdict in (${verdicts})`;
  // The short texts are put together first, so that the long one is copied once.
  const line = (verdict: string, reason: string) =>
    `row.cells || (${delimiter} || ${verdict} || ${delimiter} || ${reason})`;
  const mine = `row.owner_id = ${owner} and row.list_id = ${listId}`;
  const result = 'result.owner_id = row.owner_id and result.list_id = row.list_id';
  const query =
    order.rows === 'all'
      ? `select ${line(
          "case when row.email_address is null then 'INVALID' else coalesce(result.verdict, '') end",
          `case when row.email_address is null then ${pg.escapeLiteral(formatCell('syntax', list.delimiter))} else coalesce(result.reason, '') end`,
        )} from list_rows row left join list_results result
          on ${result} and result.row_number = coalesce(row.first_row_number, row.row_number)
         where ${mine} order by row.row_number`
      : `select ${line('result.verdict', 'result.reason')} from list_rows row join list_results result
          on ${result} and result.row_number = row.row_number
         where ${mine} and ${isWanted} order by row.row_number`;
  return `copy (${query}) to stdout`;
}

const escapeByte = 0x5c;
const escaped: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** Undoes the escapes of PostgreSQL's text format, which most pieces of most files have none of. */
class UnescapeCopy extends Transform {
  /** The backslash of an escape that a piece was cut in. */
  #cut = Buffer.alloc(0);

  override _transform(piece: Buffer, _encoding: string, done: (error: null, piece: Buffer) => void): void {
    const bytes = this.#cut.length > 0 ? Buffer.concat([this.#cut, piece]) : piece;
    this.#cut = Buffer.alloc(0);
    if (!bytes.includes(escapeByte)) {
      done(null, bytes);
      return;
    }

    const isCut = endsInsideEscape(bytes);
    if (isCut) this.#cut = Buffer.from([escapeByte]);
    const text = bytes.toString('latin1', 0, isCut ? bytes.length - 1 : bytes.length);
    const plain = text.replace(/\\(.)/gs, (_, character: string) => escaped[character] ?? character);
    done(null, Buffer.from(plain, 'latin1'));
  }
}

/** An odd number of backslashes at the end: the last one belongs to what comes next. */
function endsInsideEscape(bytes: Buffer): boolean {
  let backslashes = 0;
  while (bytes[bytes.length - 1 - backslashes] === escapeByte) backslashes++;
  return backslashes % 2 === 1;
}
