import { AppError } from '../../platform/errors/index.ts';
import { type FileRefusal, RefusedFile } from './csv/preview-file.ts';

/** Turns what is wrong with a file into a refusal that says what to change; other errors pass. */
export function refuseFile(error: unknown): never {
  if (!(error instanceof RefusedFile)) throw error;
  const { refusal } = error;
  throw new AppError(refusal.problem, { ...refusal }, { text: textOf(refusal), meta: { ...refusal } });
}

/** Where the case can say more than the table of errors does. */
function textOf(refusal: FileRefusal): string | undefined {
  switch (refusal.problem) {
    case 'file_not_text':
      return `This is ${refusal.looksLike}, not a CSV file. Export it as CSV and try again.`;
    case 'file_too_large':
      return `The file is larger than ${formatBytes(refusal.bytesMax)}. Split it into smaller files.`;
    case 'file_too_many_rows':
      return `The file has more than ${refusal.rowsMax.toLocaleString('en-US')} rows. Split it into smaller files.`;
    case 'file_broken_quoting':
      return `The quoting is broken in row ${refusal.row}: a quote is opened and not closed. Mend the row and try again.`;
    case 'sandbox_address':
      return `The address in row ${refusal.row} does not end in .test, and the sandbox knows no others. Leave it out, or leave sandbox out.`;
    default:
      return undefined;
  }
}

const formatBytes = (bytes: number): string =>
  bytes >= 1 << 20 ? `${Math.floor(bytes / (1 << 20))} MB` : `${Math.floor(bytes / 1024)} kB`;
