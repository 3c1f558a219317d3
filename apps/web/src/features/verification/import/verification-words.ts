import type { ListPreview } from '@assay/contract';
import type { BulkWords } from '../../../shared/bulk-import/bulk-words.ts';
import { detectedWords, headerWarning, otherColumnsWords } from './detected-words.ts';

export const verificationWords: BulkWords<ListPreview> = {
  importTitle: 'Import email list',
  importText:
    "Import a CSV with the emails you want to validate. We'll try to automatically detect the fields and add a column with the result.",
  acceptLabel: 'Verify',
  confirmTitle: 'Confirm bulk verification',
  started: (listName) => `Email verification started for list ${listName}.`,
  billable: 'Emails to verify',
  excluded: 'Excluded emails',
  unusable: 'not well-formed',
  nothingToDo: 'There is no email in this file that can be verified.',
  notCharged: 'Unknown emails are not counted.',
  sampleFile: '/sample-emails.csv',
  detected: ({ detected }) => detectedWords(detected),
  notice: ({ detected }) => otherColumnsWords(detected),
  headerWarning: ({ detected }, withHeaders) => headerWarning(detected, withHeaders),
};
