import { Button, Group, Modal } from '@mantine/core';
import { formatCredits } from '../../shared/format/counts.ts';
import { countsText } from './suppression-words.ts';
import classes from './suppressions-page.module.css';

export interface ImportedRows {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly not_readable: number;
  readonly problems: readonly {
    readonly row: number;
    readonly target: string;
    readonly problem: string;
  }[];
}

interface ImportResultProps {
  isOpen: boolean;
  result: ImportedRows;
  onClose: () => void;
}

/** What became of a file, with the rows that could not be read. */
export function ImportResult({ isOpen, result, onClose }: ImportResultProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Import finished" size="28rem">
      <p className={classes.result}>{countsText(result)}</p>
      {result.not_readable === 0 ? null : (
        <>
          <p className={classes.result}>
            {result.not_readable === 1
              ? '1 row was left out:'
              : `${formatCredits(result.not_readable)} rows were left out${result.not_readable > result.problems.length ? `. The first ${result.problems.length}` : ''}:`}
          </p>
          <ul className={classes.problems}>
            {result.problems.map(({ row, target, problem }) => (
              <li key={row}>
                Row {row}, “{target}”: {problem}
              </li>
            ))}
          </ul>
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          Understood
        </Button>
      </Group>
    </Modal>
  );
}
