import type { GuessPreview } from '@assay/contract';
import { classifyPeople, isFirst, type PeopleFile, type PeopleRow } from './people-file.ts';

type ExcludedPerson = GuessPreview['excluded'][number];

const examplesMax = 5;
const personLengthMax = 100;

/** The first excluded rows of each reason. */
export function excludedExamples(file: PeopleFile): ExcludedPerson[] {
  const groups = Map.groupBy(excludedPeople(file, file.hasHeaderRow), ({ reason }) => reason);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, examplesMax).map((one) => ({ ...one, person: one.person.slice(0, personLengthMax) })),
  );
}

/** The rows that are not guessed, with the cells that were read. */
export function excludedPeople(file: PeopleFile, withHeaders: boolean): ExcludedPerson[] {
  const read = Object.values(file.columns).sort((left, right) => left - right);
  const reasonOf = (row: PeopleRow) => row.problem ?? (isFirst(row) ? null : 'duplicated');
  return classifyPeople(file, { withHeaders }).flatMap((row) => {
    const reason = reasonOf(row);
    if (reason === null) return [];
    const cells = read.map((column) => row.cells[column]?.trim() ?? '').filter((cell) => cell !== '');
    return [{ row: file.skippedRows + row.rowNumber + 1, person: cells.join(', '), reason }];
  });
}
