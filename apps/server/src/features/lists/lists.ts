import { ListAnswers } from './list-answers.ts';
import { ListControl } from './list-control.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import { ListResults } from './list-results.ts';
import { ListStore } from './lists.store.ts';

/** Everything that lists of one kind do in the same way as those of the others. */
export interface Lists<Row extends ListHead, Outcome extends string> {
  readonly answers: ListAnswers<Row, Outcome>;
  readonly control: ListControl<Row, Outcome>;
  readonly results: ListResults<Row, Outcome>;
  /** To insert and publish lists of the kind. */
  readonly store: ListStore<Row, Outcome>;
}

export function listsOf<Row extends ListHead, Outcome extends string>(
  kind: ListKind<Row, Outcome>,
): Lists<Row, Outcome> {
  const store = new ListStore(kind);
  const results = new ListResults(kind, store);
  const answers = new ListAnswers(kind, store);
  return { answers, control: new ListControl(kind, store, results), results, store };
}
