import { type ValidationList, VERDICTS, type Verdict } from '@assay/contract';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { filledCategories } from '../../../shared/list-summary/categories.ts';
import type { SharedPart } from '../api/export-links.ts';
import { categoriesOf } from './list-categories.ts';

interface PartChoice {
  readonly value: string;
  readonly label: string;
  readonly part: SharedPart;
}

/** The parts of a list that a link can lead to. The first one is what the person has chosen on the page, if anything. */
export function sharedPartsOf(
  list: Pick<ValidationList, 'email_metrics' | 'safe_emails'>,
  chosen: readonly Verdict[],
): PartChoice[] {
  const filled = filledCategories(categoriesOf(list)).map(({ verdict }) => verdict);
  const all: PartChoice = { value: 'all', label: 'All rows of the file', part: { rows: 'all' } };
  const safe: PartChoice = { value: 'safe', label: 'Safe to send', part: { status: ['VALID'], safe: true } };
  const selected = VERDICTS.filter((verdict) => chosen.includes(verdict) && filled.includes(verdict));
  const choices = [all, ...(list.safe_emails ? [safe] : []), ...filled.map((verdict) => partOf([verdict]))];
  if (selected.length === 0) return choices;
  const first = partOf(selected);
  return [first, ...choices.filter(({ value }) => value !== first.value)];
}

const partOf = (verdicts: readonly Verdict[]): PartChoice => ({
  value: verdicts.join(),
  label: verdicts.map((verdict) => verdictLooks[verdict].label).join(', '),
  part: { status: verdicts },
});
