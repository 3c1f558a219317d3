import { ApiError, type CallOptions, isAbort, type UploadProgress } from '@assay/client';
import { useEffect, useRef, useState } from 'react';
import { reactionTo } from '../errors/rejected-call.ts';
import type { SheetChoice } from './bulk-cost.ts';
import type { ColumnField } from './bulk-words.ts';
import { asSentFile, FILES_MAX, isListFile, isStillReadable } from './list-file.ts';

/** What the preview of a file came to. */
export type PreviewOutcome<Preview> =
  | { readonly kind: 'valid'; readonly preview: Preview }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** What the customer can choose from, if nothing was found in the file by itself. */
      readonly choices?: FileChoices | undefined;
    };

/** The first rows and the sheets of a file that was refused. */
export interface FileChoices extends SheetChoice {
  readonly first_rows: readonly (readonly string[])[];
}

/** A file on its way to a list. */
export interface ImportedFile<Preview> {
  readonly file: File;
  readonly outcome: PreviewOutcome<Preview>;
  readonly withHeaders: boolean;
  /** The name of its list, where the customer has changed it. */
  readonly name?: string | undefined;
  /** While it is read in another way, such as with another column. */
  readonly isRereading: boolean;
  /** Whether its list was created. */
  readonly isCreated: boolean;
}

/** The state of an import. A closing dialog keeps its content until the next import begins. */
interface BulkImport<Preview> {
  readonly stage: 'closed' | 'choosing' | 'previewing' | 'confirming';
  readonly chosen: readonly File[];
  /** Whether the last drop held something else than files of the right kind. */
  readonly wasOtherDropped: boolean;
  /** The file that travels, and how far it is. */
  readonly sending?: { readonly file: File; readonly upload: UploadProgress };
  readonly files: readonly ImportedFile<Preview>[];
}

/** How a file is to be read. */
export interface ReadingChoice {
  readonly sheet?: string | undefined;
  /** From 1. Those that are not named are not read. */
  readonly columns?: Readonly<Partial<Record<ColumnField, number>>>;
}

/** A file that is being uploaded for its preview; or with `uploadId`, one that was uploaded before. */
export interface PreviewOrder extends ReadingChoice, Pick<CallOptions, 'signal' | 'onUploadProgress'> {
  readonly file: File;
  readonly uploadId?: string;
}

const NOT_READABLE_TEXT = 'It was changed or moved after you chose it. Choose it again.';

const nothing = { stage: 'closed', chosen: [], wasOtherDropped: false, files: [] } as const;

/** The way of files up to the offer. Leaving the screen stops an upload and forgets all. */
export function useBulkImport<Preview>(
  previewFile: (order: PreviewOrder) => Promise<Preview>,
  startsWithHeaders: (preview: Preview, file: File) => boolean,
) {
  const [current, setCurrent] = useState<BulkImport<Preview>>(nothing);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const begin = (): AbortSignal => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  };
  const changeFile = (file: File, change: Partial<ImportedFile<Preview>>) =>
    setCurrent((before) => ({
      ...before,
      files: before.files.map((one) => (one.file === file ? { ...one, ...change } : one)),
    }));

  const outcomeOf = async (order: PreviewOrder): Promise<PreviewOutcome<Preview> | undefined> => {
    // Its upload would fail as if the server could not be reached, again and again.
    if (order.uploadId === undefined && !(await isStillReadable(order.file)))
      return { kind: 'failed', message: NOT_READABLE_TEXT };
    try {
      return { kind: 'valid', preview: await previewFile({ ...order, file: asSentFile(order.file) }) };
    } catch (error) {
      return isAbort(error)
        ? undefined
        : { kind: 'failed', message: messageOf(error), choices: choicesOf(error) };
    }
  };

  const preview = async (chosen: readonly File[]) => {
    const signal = begin();
    const files: ImportedFile<Preview>[] = [];
    for (const file of chosen) {
      const show = (upload: UploadProgress) => {
        if (!signal.aborted)
          setCurrent({ ...nothing, stage: 'previewing', chosen, sending: { file, upload } });
      };
      show({ sentBytes: 0, totalBytes: file.size });
      const outcome = await outcomeOf({ file, signal, onUploadProgress: show });
      if (outcome === undefined || signal.aborted) return;
      const withHeaders = outcome.kind === 'failed' || startsWithHeaders(outcome.preview, file);
      files.push({ file, outcome, withHeaders, isRereading: false, isCreated: false });
    }
    setCurrent({ ...nothing, stage: 'confirming', chosen, files });
  };

  const reread = async ({ file }: ImportedFile<Preview>, choice: ReadingChoice & { uploadId?: string }) => {
    // Other files may be reread at the same time, so this stops none of them.
    const signal = running.current?.signal ?? begin();
    changeFile(file, { isRereading: true });
    const outcome = await outcomeOf({ file, signal, ...choice });
    changeFile(file, { isRereading: false, ...(outcome && { outcome }) });
  };

  const choose = (files: readonly File[]) => {
    if (files.length > 0) setCurrent({ ...nothing, stage: 'choosing', chosen: files.slice(0, FILES_MAX) });
  };

  return {
    ...current,
    open: () => setCurrent({ ...nothing, stage: 'choosing' }),
    choose,
    /** Dropped files must all be of the right kind. */
    drop(files: readonly File[]) {
      if (files.length > 0 && files.length <= FILES_MAX && files.every(isListFile)) choose(files);
      else
        setCurrent((before) => ({
          ...nothing,
          stage: 'choosing',
          chosen: before.stage === 'choosing' ? before.chosen : [],
          wasOtherDropped: true,
        }));
    },
    preview,
    reread,
    /** Offers files again that were previewed before. */
    restore(files: readonly ImportedFile<Preview>[]) {
      begin();
      setCurrent({ ...nothing, stage: 'confirming', files });
    },
    changeFile,
    remove: ({ file }: ImportedFile<Preview>) =>
      setCurrent((before) => ({ ...before, files: before.files.filter((one) => one.file !== file) })),
    close() {
      running.current?.abort();
      setCurrent((before) => ({ ...before, stage: 'closed' }));
    },
  };
}

/** In the words of the error catalogue. A failure of the server itself leads away to its own page. */
function messageOf(error: unknown): string {
  const reaction = reactionTo(error);
  return reaction.kind === 'snackbar' ? reaction.message : '';
}

/** The server says what it saw of a file in which it found no column. */
function choicesOf(error: unknown): FileChoices | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { first_rows: rows = [], format, sheet, sheets } = error.meta as Partial<FileChoices>;
  return rows.length > 0 || sheets ? { first_rows: rows, format, sheet, sheets } : undefined;
}

/** The files that still become lists. */
export const usableOf = <Preview>(files: readonly ImportedFile<Preview>[]) =>
  files.flatMap(({ file, outcome, withHeaders, name, isCreated }) =>
    outcome.kind === 'valid' && !isCreated ? [{ file, preview: outcome.preview, withHeaders, name }] : [],
  );
