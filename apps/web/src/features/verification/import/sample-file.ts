import { verificationWords } from './verification-words.ts';

/** The sample of a list of emails, as if the customer had chosen it. */
export async function fetchSampleFile(): Promise<File> {
  const answer = await fetch(verificationWords.sampleFile);
  if (!answer.ok) throw new Error(`The sample file answers ${answer.status}`);
  return new File([await answer.blob()], 'sample-emails.csv', { type: 'text/csv' });
}
