import { formatCredits } from '../format/counts.ts';
import { formatDateTime } from '../format/dates.ts';
import classes from './list-facts.module.css';

interface ListFactsProps {
  list: {
    readonly file_name: string | null;
    readonly charged_credits: number;
    readonly status: 'PENDING' | 'COMPLETE';
    readonly creation_date: string;
    readonly completion_date: string | null;
  };
  /** Rows of the file, and those of them that were left out; unknown for older lists. */
  rows?: { readonly all: number; readonly excluded: number } | null;
  /** Why rows were left out. */
  note?: string | null;
}

/** Where a list comes from, what it cost and when it ran, in a line. */
export function ListFacts({ list, rows = null, note }: ListFactsProps) {
  const { file_name, charged_credits, status, creation_date, completion_date } = list;
  const facts: [string, string | null][] = [
    ['File', file_name],
    ['Rows', rows && formatCredits(rows.all)],
    // The note says more about them.
    ['Excluded', note || rows === null ? null : formatCredits(rows.excluded)],
    [status === 'COMPLETE' ? 'Credits charged' : 'Credits so far', formatCredits(charged_credits)],
    ['Started', formatDateTime(creation_date)],
    ['Ended', completion_date && formatDateTime(completion_date)],
  ];
  return (
    <>
      <dl className={classes.root} aria-label="About the list">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} data-fact={name}>
              <dt>{name}</dt> <dd dir="auto">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {note ? <p className={classes.note}>{note}</p> : null}
    </>
  );
}
