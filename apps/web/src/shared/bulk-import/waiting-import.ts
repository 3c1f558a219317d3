import { tabStorage } from '../cache/browser-storage.ts';
import type { PricedPreview } from './bulk-cost.ts';
import type { ImportedFile } from './use-bulk-import.ts';

/** Lives as long as the tab, which is as long as a trip to a checkout takes. Signing out clears it. */
const KEY = 'assay.waiting_import';

/** As long as the server keeps an upload. */
const waitingMsMax = 24 * 3_600_000;

/** The state of a navigation that opens the confirmation again. Without it, leaving the screen has reset the import. */
export const continuingImport = { continuesImport: true } as const;
export const continuesImport = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'continuesImport' in state;

interface WaitingImport<Preview> {
  readonly keptAt: number;
  /** The page whose confirmation waits. */
  readonly path: string;
  readonly files: readonly {
    readonly name: string;
    readonly preview: Preview;
    readonly withHeaders: boolean;
    readonly listName?: string | undefined;
  }[];
}

/** Keeps an import that is short of credits. The server has its files; the browser keeps how they were read. */
export function keepImport<Preview extends PricedPreview>(
  path: string,
  files: readonly ImportedFile<Preview>[],
): void {
  const waiting: WaitingImport<Preview> = {
    keptAt: Date.now(),
    path,
    files: files.flatMap(({ file, outcome, withHeaders, name: listName, isCreated }) => {
      if (outcome.kind === 'failed' || isCreated) return [];
      const { detected } = outcome.preview;
      // Another sheet would need the file itself, which the browser does not keep.
      const preview = { ...outcome.preview, detected: { ...detected, sheets: [] } };
      return [{ name: file.name, preview, withHeaders, listName }];
    }),
  };
  // Without room for it, the customer imports the file again.
  tabStorage.setItem(KEY, JSON.stringify(waiting));
}

/** Where an import waits, the name of its first file, and what all of them cost at most; null when none does. */
export function findWaitingImport(): {
  readonly path: string;
  readonly name: string;
  readonly credits: number;
} | null {
  const waiting = readWaiting();
  const [first] = waiting?.files ?? [];
  if (!waiting || !first) return null;
  const credits = waiting.files.reduce((sum, { preview }) => sum + (preview.total_credits ?? 0), 0);
  return { path: waiting.path, name: first.name, credits };
}

/** The files of the import that waits for this page, once. */
export function takeImport<Preview>(path: string): ImportedFile<Preview>[] | null {
  const waiting = readWaiting() as WaitingImport<unknown> | null as WaitingImport<Preview> | null;
  if (waiting === null || waiting.path !== path || waiting.files.length === 0) return null;
  tabStorage.removeItem(KEY);
  return waiting.files.map(({ name, preview, withHeaders, listName }) => ({
    file: new File([], name),
    outcome: { kind: 'valid', preview },
    withHeaders,
    name: listName,
    isRereading: false,
    isCreated: false,
  }));
}

function readWaiting(): WaitingImport<Partial<PricedPreview>> | null {
  try {
    const waiting = JSON.parse(tabStorage.getItem(KEY) ?? 'null');
    const isOurs = typeof waiting?.path === 'string' && Array.isArray(waiting.files);
    return isOurs && Date.now() - waiting.keptAt < waitingMsMax ? waiting : null;
  } catch {
    return null;
  }
}
