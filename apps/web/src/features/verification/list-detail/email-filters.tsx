import { type AddressFlag, type EmailSort, type EmailSummary, FLAG_TABLE, VERDICTS } from '@assay/contract';
import { Button, NativeSelect, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { SearchField } from '../../../shared/components/search-field.tsx';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { reasonWords } from '../../../shared/format/reason-words.ts';
import classes from './email-filters.module.css';
import { type EmailsView, SEARCH_LENGTH_MAX } from './emails-view.ts';
import { ProviderField } from './provider-field.tsx';

interface EmailFiltersProps {
  /** What the list contains so far; nothing until it is loaded. */
  summary: EmailSummary | undefined;
  view: EmailsView;
  /** The order of the rows. */
  sort: EmailSort;
  isRunning: boolean;
  /** Whether there are few enough to sort. */
  canSort: boolean;
  onSearch: (search: string) => void;
  onNarrow: (change: Partial<EmailsView>) => void;
  /** At the end of the row. */
  children: ReactNode;
}

/** Search, filters with what they would leave, and on phones, whose rows have no headers, the order. */
export function EmailFilters(props: EmailFiltersProps) {
  const { summary = nothing, view, sort, isRunning, canSort, onSearch, onNarrow, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const used = [view.reason, view.flag, view.mxProvider].filter((filter) => filter !== undefined).length;
  return (
    <div className={classes.root}>
      <SearchField
        label="Search emails"
        lengthMax={SEARCH_LENGTH_MAX}
        search={view.search}
        onSearch={onSearch}
      />
      <Button
        className={classes.toggle}
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {used === 0 ? 'Filters' : `Filters (${used})`}
      </Button>
      <div id={id} className={classes.filters} data-open={isOpen}>
        <Choice
          label="Reason"
          all="All reasons"
          value={view.reason}
          nameOf={reasonWords}
          groups={VERDICTS.map((verdict) => ({
            group: verdictLooks[verdict].label,
            items: summary.reasons
              .filter(({ status }) => status === verdict)
              .map(({ reason: { code }, emails }) => ({
                value: code,
                label: `${reasonWords(code)} (${formatCredits(emails)})`,
              })),
          }))}
          onChange={(reason) => onNarrow({ reason })}
        />
        <ProviderField
          providers={summary.mx_providers}
          value={view.mxProvider}
          onChange={(mxProvider) => onNarrow({ mxProvider })}
        />
        {flagsToShow(summary, view.flag).map(({ flag, emails }) => (
          <Chip
            key={flag}
            isOn={view.flag === flag}
            onClick={() => onNarrow({ flag: view.flag === flag ? undefined : flag })}
          >
            {FLAG_TABLE[flag].label} <span>{formatCredits(emails)}</span>
          </Chip>
        ))}
        {isRunning ? (
          <Chip
            isOn={sort === 'newest'}
            onClick={() => onNarrow({ sort: sort === 'newest' ? 'row' : 'newest' })}
          >
            Newest first
          </Chip>
        ) : null}
        <NativeSelect
          className={classes.sort}
          aria-label="Sort by"
          value={sort}
          data={sortOptions
            .filter(({ value }) => isRunning || value !== 'newest' || sort === 'newest')
            .map((option) => ({
              ...option,
              disabled: !canSort && needsFew(option.value) && sort !== option.value,
            }))}
          onChange={({ currentTarget: { value } }) => onNarrow({ sort: value as EmailSort })}
        />
      </div>
      {children}
    </div>
  );
}

const nothing: EmailSummary = { reasons: [], flags: [], mx_providers: [] };

/** What the address names stays visible, even if the list has none of it. */
const flagsToShow = ({ flags }: EmailSummary, chosen: AddressFlag | undefined) =>
  flags.filter(({ flag, emails }) => emails > 0 || flag === chosen);

const sortOptions: { readonly value: EmailSort; readonly label: string }[] = [
  { value: 'newest', label: 'Newest results first' },
  { value: 'row', label: 'Order of the file' },
  { value: '-row', label: 'Last row first' },
  { value: 'email', label: 'Email, A to Z' },
  { value: '-email', label: 'Email, Z to A' },
  { value: 'status', label: 'Result, valid first' },
  { value: '-status', label: 'Result, valid last' },
];

const needsFew = (sort: EmailSort): boolean => /email|status/.test(sort);

const Chip = ({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) => (
  <UnstyledButton className={classes.chip} aria-pressed={isOn} onClick={onClick}>
    {children}
  </UnstyledButton>
);

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  nameOf: (value: string) => string;
  groups: readonly {
    readonly group: string;
    readonly items: readonly { readonly value: string; readonly label: string }[];
  }[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, all, value, nameOf, groups, onChange }: ChoiceProps) {
  // What the address names stays visible, even if the list has none of it.
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value));
  return (
    <NativeSelect
      className={classes.choice}
      aria-label={label}
      value={value ?? ''}
      data={[
        { value: '', label: all },
        ...groups
          .filter(({ items }) => items.length > 0)
          .map(({ group, items }) => ({ group, items: [...items] })),
        ...(value === undefined || isListed ? [] : [{ value, label: nameOf(value) }]),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
