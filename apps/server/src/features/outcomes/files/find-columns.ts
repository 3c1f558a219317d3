import { RefusedFile } from '../../uploads/reading.ts';
import { readKind } from './kind-words.ts';
import { readMoment } from './moment-text.ts';

const outcomeColumns = ['email', 'kind', 'at', 'detail', 'id'] as const;
type OutcomeColumn = (typeof outcomeColumns)[number];

/** By number from 1; null for none. */
type FoundColumns = Readonly<Record<OutcomeColumn, number | null>>;
/** By number from 1, or 0 for none. Absent, they are looked for. */
export type WishedColumns = Readonly<Partial<Record<OutcomeColumn, number | undefined>>>;

const names: Readonly<Record<OutcomeColumn, RegExp>> = {
  email:
    /^(?:e-?mails?|mail|e-?mail[ _-]?(?:address|id)|address|recipient|to|rcpt(?:[ _]?to)?|subscriber|contact)$/i,
  kind: /^(?:kind|type|event|event[ _-]?type|bounce[ _-]?type|status|outcome|result|category|class|classification)$/i,
  at: /^(?:at|date|time|date[ _-]?time|timestamp|when|(?:.{1,20}[ _-])?(?:date|time|at)|created|bounced|occurred)$/i,
  detail:
    /^(?:details?|reason|diagnostic(?:[ _-]code)?|response|message|description|error|smtp.{0,20}|reply|output|raw[ _-]?reason|delivery[ _-]?status)$/i,
  // Not a bare `id`, which may be that of the person: their next bounce would look like the same event.
  id: /^(?:event[ _-]?id|sg[ _-]?event[ _-]?id|bounce[ _-]?id|uuid)$/i,
};

/** The share of filled cells that must hold what a column is for. */
const shareMin = 0.6;
const addressShareMin = 0.2;
const nameScore = 0.5;

const addressShape = /^[^\s@,;|"'<>()]+@[^\s@,;|"'<>()]+$/;
/** `Jane Doe <jane@example.com>` */
const inBrackets = /<([^<>\s]{3,320})>\s*$/;
const replyShape = /(?:^|[\s"'])[245]\d\d[ -]|\b[245]\.\d{1,3}\.\d{1,3}\b/;

export const addressIn = (cell: string): string => (inBrackets.exec(cell)?.[1] ?? cell).trim();

const holds: Readonly<Partial<Record<OutcomeColumn, (cell: string) => boolean>>> = {
  email: (cell) => addressShape.test(addressIn(cell)),
  kind: (cell) => readKind(cell) !== undefined,
  at: (cell) => readMoment(cell) !== undefined,
  detail: (cell) => replyShape.test(cell),
};

export interface TableShape {
  readonly columns: FoundColumns;
  readonly hasHeader: boolean;
}

/** Finds columns by their names and values. Fails if a chosen one is not there. */
export function findColumns(sample: readonly (readonly string[])[], wished: WishedColumns): TableShape {
  const [first = []] = sample;
  const hasHeader = first.length > 0 && !first.some((cell) => holds.email?.(cell) || holds.at?.(cell));
  const body = hasHeader ? sample.slice(1) : sample;
  const width = Math.max(0, ...sample.map((row) => row.length));
  const found: Partial<Record<OutcomeColumn, number | null>> = {};
  const taken = new Set<number>();
  const take = (column: OutcomeColumn, number: number | null) => {
    found[column] = number;
    if (number !== null) taken.add(number);
  };
  for (const column of outcomeColumns) {
    const wish = wished[column];
    if (wish === undefined) continue;
    if (wish > width) throw new RefusedFile({ problem: 'file_column_not_found', columnCount: width });
    take(column, wish === 0 ? null : wish);
  }
  for (const column of outcomeColumns)
    if (found[column] === undefined)
      take(column, bestColumn(column, { head: hasHeader ? first : [], body, width, taken }));
  return { columns: found as FoundColumns, hasHeader };
}

interface ColumnSearch {
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
  readonly width: number;
  /** Columns that are something else. */
  readonly taken: ReadonlySet<number>;
}

function bestColumn(column: OutcomeColumn, { head, body, width, taken }: ColumnSearch): number | null {
  let best: { readonly number: number; readonly score: number } | null = null;
  for (let number = 1; number <= width; number++) {
    if (taken.has(number)) continue;
    const isNamed = names[column].test(head[number - 1]?.trim() ?? '');
    const share = shareOf(
      body.map((row) => row[number - 1]?.trim() ?? ''),
      holds[column],
    );
    if (!isCandidate(column, { isNamed, share })) continue;
    const score = share + (isNamed ? nameScore : 0);
    if (best === null || score > best.score) best = { number, score };
  }
  return best?.number ?? null;
}

function isCandidate(
  column: OutcomeColumn,
  { isNamed, share }: { readonly isNamed: boolean; readonly share: number },
): boolean {
  if (column === 'id') return isNamed;
  if (column === 'email') return isNamed || share >= addressShareMin;
  if (column === 'detail') return isNamed || share >= shareMin;
  // A column may have the name and hold something else: `status` is often that of the reply.
  return share >= shareMin;
}

function shareOf(cells: readonly string[], isOne: ((cell: string) => boolean) | undefined): number {
  const filled = cells.filter((cell) => cell !== '');
  return isOne === undefined || filled.length === 0 ? 0 : filled.filter(isOne).length / filled.length;
}
