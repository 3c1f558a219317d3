// Jobs that read files of people on reading threads, so this must load neither the database nor the engine.
import type { GuessPreview, PeopleField } from '@assay/contract';
import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { byteOrderMark, formatRow } from '../../../platform/csv/write-rows.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { defineReadJob, type JobFile } from '../../../platform/reading/read-job.ts';
import type { CountOrder } from '../../uploads/index.ts';
import {
  previewMetrics,
  previewRows,
  RefusedFile,
  readText,
  refuseFile,
  type SheetChoice,
  sheetFields,
  type TextSource,
} from '../../uploads/reading.ts';
import type { GuessedPerson } from '../guess-person.ts';
import { evenSample } from './even-sample.ts';
import { excludedExamples, excludedPeople } from './excluded-people.ts';
import { hasPeople, type PeopleColumns } from './people-columns.ts';
import { classifyPeople, isFirst, type PeopleFile, type PeopleRow, readPeopleFile } from './people-file.ts';

/** How a file of people is written. */
export interface PeopleDialect {
  readonly workbook?: SheetChoice | undefined;
  /** Those that the customer chose in place of the detected ones. */
  readonly columns: PeopleColumns | null;
}

/** A file that is read again has its workbook already. */
interface PeopleCounting extends PeopleDialect {
  readonly rowsMax: number;
}

export interface PeopleReading extends Omit<PeopleCounting, 'workbook'> {
  readonly source: TextSource;
}

export type PeopleCounts = ReturnType<typeof countsOf>;

/** What a preview tells of the file itself. */
interface FilePreview extends Omit<GuessPreview, 'upload_id' | 'detected'> {
  readonly detected: Pick<GuessPreview['detected'], 'delimiter' | 'columns' | 'has_header_row' | 'rows'>;
}

const firstRowsMax = 6;

export const previewPeopleJob = defineReadJob(
  import.meta.url,
  'previewPeopleJob',
  async (file, { source, counting }: CountOrder<PeopleCounting>) => {
    const { workbook = counting.workbook, people } = await readPeople(file, { source, ...counting });
    return { counts: countsOf(people, { workbook, columns: counting.columns }) };
  },
);

function countsOf(people: PeopleFile, dialect: PeopleDialect) {
  const withHeaders = metricsOf(classifyPeople(people, { withHeaders: true }));
  const withoutHeaders = metricsOf(classifyPeople(people, { withHeaders: false }));
  return {
    rowCount: people.rows.length,
    billable: withoutHeaders.billable,
    belowFirst: { billable: withHeaders.billable },
    hasRealDomain: null,
    suppressedHashes: null,
    dialect,
    preview: previewOf(people, { withHeaders, withoutHeaders }),
  };
}

/** A person of a file, in the first row with this person. */
export interface ListedPerson extends GuessedPerson {
  readonly rowNumber: number;
}

/** The rows of a file, for a list. */
export interface PeopleOfFile {
  readonly delimiter: string;
  /** In the format of exports, like the cells of the rows. */
  readonly header: string | null;
  /** As JSON, with the columns of their table: to receive millions of cells would keep the caller busy for long. */
  readonly rows: string;
  readonly people: readonly ListedPerson[];
  readonly duplicatedPeople: number;
  readonly unusablePeople: number;
}

export const classifyPeopleJob = defineReadJob(
  import.meta.url,
  'classifyPeopleJob',
  async (
    file,
    { withHeaders, ...reading }: PeopleReading & { readonly withHeaders: boolean },
  ): Promise<PeopleOfFile> => {
    const { people: table } = await readPeople(file, reading);
    const { delimiter } = table.format;
    const rows = classifyPeople(table, { withHeaders });
    const people = rows.flatMap((row) =>
      row.person && isFirst(row) ? [{ ...row.person, rowNumber: row.rowNumber }] : [],
    );
    const unusablePeople = rows.filter(({ person }) => person === null).length;
    return {
      delimiter,
      header: withHeaders ? formatRow(table.rows[0] ?? [], delimiter) : null,
      rows: JSON.stringify(rows.map((row) => storedRow(row, delimiter))),
      people: inDomainOrder(people),
      duplicatedPeople: rows.length - unusablePeople - people.length,
      unusablePeople,
    };
  },
);

const storedRow = ({ rowNumber, cells, personRowNumber, problem }: PeopleRow, delimiter: string) => ({
  row_number: rowNumber,
  cells: formatRow(cells, delimiter),
  person_row_number: personRowNumber,
  problem,
});

/** Keeps people of one company together: they share a connection, and each proof helps the next. */
const inDomainOrder = (people: readonly ListedPerson[]): ListedPerson[] =>
  people.toSorted((left, right) => left.domain.localeCompare(right.domain));

/** The domains of a sample of the people. */
export const samplePeopleJob = defineReadJob(
  import.meta.url,
  'samplePeopleJob',
  async (file, { size, ...reading }: PeopleReading & { readonly size: number }) => {
    const { people } = await readPeople(file, reading);
    const first = classifyPeople(people, { withHeaders: people.hasHeaderRow }).filter(isFirst);
    return {
      total: first.length,
      domains: evenSample(first, size).map(({ person }) => person?.domain ?? ''),
    };
  },
);

/** The rows that are not guessed, as CSV. */
export const excludedPeopleJob = defineReadJob(
  import.meta.url,
  'excludedPeopleJob',
  async (file, { withHeaders, ...reading }: PeopleReading & { readonly withHeaders: boolean }) => {
    const { people } = await readPeople(file, reading);
    const lines = excludedPeople(people, withHeaders).map(({ row, person, reason }) =>
      formatRow([String(row), neutraliseFormula(person), reason], ','),
    );
    return `${byteOrderMark}${['row,person,reason', ...lines].join('\n')}\n`;
  },
);

interface ReadPeople {
  readonly workbook: SheetChoice | undefined;
  readonly people: PeopleFile;
}

/** The people of a file, which is short, so it is read whole. Refuses a file without people or with too many. */
async function readPeople(file: JobFile, { source, columns, rowsMax }: PeopleReading): Promise<ReadPeople> {
  const { text, workbook } = await readText(file, source, {
    isUsable: isOfPeople,
    use: async (pieces, sheet) => ({
      text: (await Array.fromAsync(pieces)).join(''),
      workbook: sheet,
    }),
  });
  if (text.trim() === '') refuseFile(new RefusedFile({ problem: 'file_empty' }));
  if (columns && !hasPeople(columns)) throw new AppError('guess_file_no_people');
  const people = await readPeopleFile(text, columns ?? undefined).catch(refuseFile);
  // The customer may choose another sheet.
  if (!people)
    throw new AppError('guess_file_no_people', {}, { meta: workbook ? sheetFields(workbook) : {} });
  const peopleCount = people.rows.length - (people.hasHeaderRow ? 1 : 0);
  if (peopleCount > rowsMax) refuseFile(new RefusedFile({ problem: 'file_too_many_rows', rowsMax }));
  return { workbook, people };
}

/** A sample may be cut within a quoted cell. */
const isOfPeople = async (sample: string): Promise<boolean> =>
  (await readPeopleFile(sample).catch(() => null)) !== null;

function previewOf(
  file: PeopleFile,
  metrics: Readonly<Record<'withHeaders' | 'withoutHeaders', GuessPreview['metrics']>>,
): FilePreview {
  const [head = []] = file.rows;
  const fields = Object.entries(file.columns) as [PeopleField, number][];
  return {
    total_credits: metrics.withoutHeaders.billable,
    ...previewMetrics(metrics, file.hasHeaderRow),
    detected: {
      delimiter: file.format.delimiter,
      columns: fields.map(([field, column]) => ({
        field,
        column: (file.hasHeaderRow ? head[column]?.trim() : undefined) || String(column + 1),
        number: column + 1,
      })),
      has_header_row: file.hasHeaderRow,
      rows: file.rows.length,
    },
    first_rows: previewRows(file.rows.slice(0, firstRowsMax)),
    excluded: excludedExamples(file),
  };
}

function metricsOf(rows: readonly PeopleRow[]): GuessPreview['metrics'] {
  const billable = rows.filter(isFirst).length;
  const non_billable = rows.filter(({ problem }) => problem !== null).length;
  return { billable, non_billable, duplicated: rows.length - billable - non_billable };
}
