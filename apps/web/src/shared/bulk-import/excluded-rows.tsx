import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Icon } from '../components/icon.tsx';
import { formatCredits } from '../format/counts.ts';
import { followDownload } from '../navigation/follow-download.ts';
import classes from './excluded-rows.module.css';

/** Rows that are left out for one reason. */
export interface ExcludedGroup {
  readonly title: string;
  readonly count: number;
  readonly examples: readonly { readonly row: number; readonly text: string }[];
}

interface ExcludedRowsProps {
  /** What the rows hold: 'emails'. */
  noun: string;
  groups: readonly ExcludedGroup[];
  /** Asks for a link to all of them. */
  askForLink: () => Promise<{ readonly download_link: string }>;
}

/** The rows of a file that are left out, by reason, and all of them as a file. */
export function ExcludedRows({ noun, groups, askForLink }: ExcludedRowsProps) {
  const download = useMutation({
    mutationFn: askForLink,
    onSuccess: ({ download_link }) => followDownload(download_link),
  });
  const filled = groups.filter(({ count }) => count > 0);
  if (filled.length === 0) return null;
  return (
    <details className={classes.more}>
      <summary>Which {noun} are excluded</summary>
      {filled.map(({ title, count, examples }) => (
        <div key={title} className={classes.group}>
          <h3>{`${title}: ${formatCredits(count)}`}</h3>
          <ul>
            {examples.map(({ row, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one row can hold several, and they never move
              <li key={`${row} ${index}`}>
                Row {row}
                {text === '' ? null : <span>{text}</span>}
              </li>
            ))}
            {count > examples.length ? <li>{`and ${formatCredits(count - examples.length)} more`}</li> : null}
          </ul>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<Icon name="download" size={18} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download excluded {noun}
      </Button>
    </details>
  );
}
