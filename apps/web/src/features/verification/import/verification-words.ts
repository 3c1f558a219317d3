import type { ListPreview } from '@assay/contract';
import type { BulkWords } from '../../../shared/bulk-import/bulk-words.ts';
import { isPasted } from '../../../shared/bulk-import/list-file.ts';
import { isolated } from '../../../shared/format/isolated.ts';
import { brokenQuotesWords, detectedWords, headerWarning, otherColumnsWords } from './detected-words.ts';

export const verificationWords: BulkWords<ListPreview> = {
  importTitle: 'Import email list',
  importText:
    "Import a CSV with the emails you want to validate. We'll try to automatically detect the fields and add a column with the result.",
  acceptLabel: 'Verify',
  pasteLabel: 'Or paste emails',
  confirmTitle: 'Confirm bulk verification',
  started: (listName) => `Email verification started for list ${isolated(listName)}.`,
  billable: 'Emails to verify',
  excluded: 'Excluded emails',
  unusable: 'not well-formed',
  nothingToDo: 'There is no email in this file that can be verified.',
  notCharged: 'Unknown emails are not counted.',
  sampleFile: '/sample-emails.csv',
  columns: ({ detected }) => [
    { field: 'email_column', label: 'Email column', column: detected.email_column_number - 1 },
  ],
  columnsToChoose: [{ field: 'email_column', label: 'Email column', column: null }],
  // Pasted emails rarely have a header, and the first of them would be left out.
  startsWithHeaders: ({ detected }, file) =>
    detected.has_header_row || !(isPasted(file) || detected.format === 'addresses'),
  detected: ({ detected }) => detectedWords(detected),
  notice: ({ detected }) =>
    [otherColumnsWords(detected), brokenQuotesWords(detected)].filter((words) => words !== null).join(' ') ||
    null,
  headerWarning: ({ detected }, withHeaders) => headerWarning(detected, withHeaders),
};
