import { exportFormatSchema, formulasSchema } from '@assay/contract';
import * as z from 'zod/mini';

/** The part of an export order that every kind of list has. A signed link carries the order. */
export const exportOrderFields = {
  ownerId: z.uuid(),
  listId: z.uuid(),
  rows: z.enum(['distinct', 'all']),
  formulas: z._default(formulasSchema, 'neutralised'),
  format: z._default(exportFormatSchema, 'csv'),
  expiresAt: z.number(),
};

interface ExportWords<Outcome extends string> {
  /** The rows of a file, such as `emails`. */
  readonly rows: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  /** Rows of some outcomes, such as `valid and invalid`. */
  readonly chosenRows: (outcomes: string) => string;
}

/** A name for an exported file that says what is inside, without its ending: 'customers - valid emails'. */
export function exportName<Outcome extends string>(
  listName: string,
  { chosen, rows }: { readonly chosen: readonly Outcome[]; readonly rows: 'distinct' | 'all' },
  words: ExportWords<Outcome>,
): string {
  if (rows === 'all') return `${listName} - all ${words.rows}`;
  const outcomes = Object.keys(words.outcomes) as Outcome[];
  const named = outcomes.filter((outcome) => chosen.includes(outcome));
  if (named.length === outcomes.length) return `${listName} - distinct ${words.rows}`;
  const text = new Intl.ListFormat('en').format(named.map((outcome) => words.outcomes[outcome]));
  return `${listName} - ${words.chosenRows(text)}`;
}

/** The name of a list's file in an archive. The id keeps lists of the same name apart. */
export const partName = (
  folder: string,
  { listId, name }: { readonly listId: string; readonly name: string },
): string => `${folder}/${name.replace(/[\\/:]/g, '_')} ${listId.slice(-12)}.csv`;
