import type { AnyList } from './any-list.ts';
import classes from './deletion-note.module.css';
import { deletionWords } from './deletion-words.ts';

/** What the question before a deletion says. */
export function DeletionNote({ lists }: { lists: readonly AnyList[] }) {
  const words = deletionWords(lists);
  return (
    <div className={classes.root}>
      {words === null ? null : <p>{words}</p>}
      <p>This action cannot be undone</p>
    </div>
  );
}
