import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { ColumnRead } from './bulk-words.ts';
import { type ColumnOption, columnOptions, findColumn } from './column-options.ts';

/** More columns than this are found by typing. */
const selectMax = 20;

interface ColumnChoiceProps {
  read: ColumnRead;
  rows: readonly (readonly string[])[];
  withHeaders: boolean;
  isBusy: boolean;
  /** From 1, or 0 for none. */
  onChoose: (number: number) => void;
}

/** Any column of the file, with its first value. */
export function ColumnChoice({ read, rows, withHeaders, isBusy, onChoose }: ColumnChoiceProps) {
  const { label, column, isOptional } = read;
  const options = columnOptions(rows, { withHeaders });
  if (options.length > selectMax)
    return (
      <ColumnSearch
        key={`${column} ${withHeaders}`}
        label={label}
        options={options}
        current={options[column ?? -1]}
        isBusy={isBusy}
        onChoose={onChoose}
      />
    );
  return (
    <NativeSelect
      label={label}
      size="sm"
      data={[
        ...(isOptional || column === null ? [{ value: '', label: isOptional ? 'None' : 'Choose' }] : []),
        ...options.map((option) => ({ value: String(option.number), label: labelOf(option) })),
      ]}
      value={column === null ? '' : String(column + 1)}
      disabled={isBusy}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    />
  );
}

const labelOf = ({ name, firstValue }: ColumnOption): string =>
  firstValue === '' ? name : `${name}: ${firstValue}`;

interface ColumnSearchProps {
  label: string;
  options: readonly ColumnOption[];
  current: ColumnOption | undefined;
  isBusy: boolean;
  onChoose: (number: number) => void;
}

function ColumnSearch({ label, options, current, isBusy, onChoose }: ColumnSearchProps) {
  const listId = useId();
  const [typed, setTyped] = useState(current?.name ?? '');
  const found = findColumn(options, typed);
  const choose = (option: ColumnOption | undefined) => {
    if (option && option.number !== current?.number) onChoose(option.number);
  };
  return (
    <>
      <TextInput
        label={label}
        size="sm"
        description={`Type a name or a number from 1 to ${options.length}.`}
        list={listId}
        autoComplete="off"
        disabled={isBusy}
        value={typed}
        error={typed.trim() === '' || found ? null : 'There is no such column.'}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          // A number may go on; a name is whole once it is one.
          choose(options.find(({ name }) => name === value));
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') choose(found);
        }}
        onBlur={() => choose(found)}
      />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option.number} value={option.name} label={labelOf(option)} />
        ))}
      </datalist>
    </>
  );
}
