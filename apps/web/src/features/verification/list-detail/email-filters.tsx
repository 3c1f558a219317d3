import {
  type AddressFlag,
  COUNTED_EMAILS_MAX,
  type EmailSort,
  type EmailSummary,
  type ValidationList,
} from '@assay/contract';
import { NativeSelect } from '@mantine/core';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { useEmailSummary } from '../api/get-email-summary.ts';
import classes from './email-filters.module.css';
import type { EmailsView } from './emails-view.ts';
import { flagWords } from './flag-words.ts';

interface EmailFiltersProps {
  list: Pick<ValidationList, 'id' | 'status' | 'validation_email_metrics'> | undefined;
  view: EmailsView;
  onNarrow: (change: Partial<EmailsView>) => void;
}

/** Filters by what the list contains so far, and the order. */
export function EmailFilters({ list, view, onNarrow }: EmailFiltersProps) {
  // While the list runs, the choices need not follow every result.
  const completed = list?.validation_email_metrics.completed ?? 0;
  const { data: summary = nothing } = useEmailSummary(list?.id, list?.status === 'COMPLETE' ? completed : 0);
  const isLong = completed > COUNTED_EMAILS_MAX;
  return (
    <div className={classes.root}>
      <Choice
        label="Reason"
        all="All reasons"
        value={view.reason}
        options={summary.reasons.map(({ reason, status, emails }) => ({
          value: reason.code,
          label: `${verdictLooks[status].label}: ${reason.code.replaceAll('_', ' ')} (${formatCredits(emails)})`,
        }))}
        onChange={(reason) => onNarrow({ reason })}
      />
      <Choice
        label="Flag"
        all="All flags"
        value={view.flag}
        options={summary.flags
          .filter(({ emails }) => emails > 0)
          .map(({ flag, emails }) => ({
            value: flag,
            label: `${flagWords[flag]} (${formatCredits(emails)})`,
          }))}
        onChange={(flag) => onNarrow({ flag: flag as AddressFlag | undefined })}
      />
      <Choice
        label="Provider"
        all="All providers"
        value={view.mxProvider}
        options={summary.mx_providers.map(({ mx_provider, emails }) => ({
          value: mx_provider,
          label: `${mx_provider} (${formatCredits(emails)})`,
        }))}
        onChange={(mxProvider) => onNarrow({ mxProvider })}
      />
      <NativeSelect
        aria-label="Sort by"
        value={view.sort}
        data={sortOptions.map((option) => ({
          ...option,
          // The server sorts no more than this many.
          disabled: isLong && !option.value.endsWith('row') && view.sort !== option.value,
        }))}
        onChange={({ currentTarget: { value } }) => onNarrow({ sort: value as EmailSort })}
      />
    </div>
  );
}

const nothing: EmailSummary = { reasons: [], flags: [], mx_providers: [] };

const sortOptions: { readonly value: EmailSort; readonly label: string }[] = [
  { value: 'row', label: 'Order of the file' },
  { value: '-row', label: 'Last row first' },
  { value: 'email', label: 'Email, A to Z' },
  { value: '-email', label: 'Email, Z to A' },
  { value: 'status', label: 'Result, valid first' },
  { value: '-status', label: 'Result, valid last' },
];

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  // What the address names stays visible, even if the list has none of it.
  const isListed = value === undefined || options.some((option) => option.value === value);
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...options, ...(isListed ? [] : [{ value, label: value }])]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
