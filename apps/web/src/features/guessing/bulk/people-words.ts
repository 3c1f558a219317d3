import { type GuessPreview, PEOPLE_FIELDS, type PeopleField } from '@assay/contract';
import type { BulkWords } from '../../../shared/bulk-import/bulk-words.ts';
import { columnWords, fileFormatWords } from '../../../shared/bulk-import/file-format-words.ts';
import { isolated } from '../../../shared/format/isolated.ts';

const columnLabels: Readonly<Record<PeopleField, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name',
  linkedin_url: 'LinkedIn profile',
  domain: 'Company domain',
};

const fieldNames: Readonly<Record<PeopleField, string>> = {
  first_name: 'first names',
  last_name: 'last names',
  full_name: 'names',
  linkedin_url: 'LinkedIn profiles',
  domain: 'domains',
};

export const peopleWords: BulkWords<GuessPreview> = {
  importTitle: 'Import people',
  importText:
    "Import a CSV with first name, last name and company domain, or with LinkedIn profiles and company domain. We'll try to automatically detect the fields and add columns with the email and the result.",
  acceptLabel: 'Guess',
  confirmTitle: 'Confirm bulk guessing',
  started: (listName) => `Email guessing started for list ${isolated(listName)}.`,
  billable: 'People to guess',
  excluded: 'Excluded people',
  unusable: 'without a usable name or company domain',
  nothingToDo: 'There is nobody in this file who can be guessed.',
  notCharged: 'People without a clear answer are not counted.',
  sampleFile: '/sample-people.csv',
  columns: ({ detected }) =>
    PEOPLE_FIELDS.map((field) => {
      const number = detected.columns.find((one) => one.field === field)?.number;
      return {
        field: `${field}_column`,
        label: columnLabels[field],
        column: number === undefined ? null : number - 1,
        isOptional: field !== 'domain',
      };
    }),
  columnsToChoose: PEOPLE_FIELDS.map((field) => ({
    field: `${field}_column`,
    label: columnLabels[field],
    column: null,
    isOptional: true,
  })),
  startsWithHeaders: () => true,
  detected: ({ detected }) => {
    const columns = detected.columns.map(
      ({ field, column }) => `${fieldNames[field]} in ${columnWords(column, detected.has_header_row)}`,
    );
    return `${fileFormatWords(detected)}, ${columns.join(', ')}.`;
  },
  headerWarning: ({ detected: { has_header_row } }, withHeaders) => {
    if (withHeaders && !has_header_row) {
      return 'The first row holds a person, not headers. They will not be guessed unless you clear the box.';
    }
    if (!withHeaders && has_header_row) return 'The first row looks like headers.';
    return null;
  },
};
