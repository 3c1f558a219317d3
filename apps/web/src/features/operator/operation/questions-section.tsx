import { type ListQuestions, type ProviderQuestions, QUESTION_DAYS } from '@assay/contract/operator';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import type { DataGridColumn } from '../../../shared/components/data-grid/data-grid.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { useQuestions, useQuestionsOf } from '../operator-api.ts';
import { ownerName, shareText } from '../operator-words.ts';

const daysAtFirst = 30;

/** What checks asked mail providers, and so what they cost the reputation of our addresses. */
export function QuestionsSection() {
  const [days, setDays] = useState<number>(daysAtFirst);
  const questions = useQuestions(days);
  const { data, isFetching, isError } = questions;
  const retry = () => void questions.refetch();
  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        Every recipient that a mail host was asked about, our own proofs and controls included. Providers
        block addresses that ask about many unknown mailboxes, so those who asked about the most come first.
      </p>
      <PeriodField days={days} onChange={setDays} />
      <Section title="By provider">
        <LocalGrid
          name="questions by provider"
          columns={[{ header: 'Provider', cell: ({ provider }) => provider }, ...countColumns]}
          rows={asyncStateOf({ data: data && { results: data.providers }, isFetching, isError })}
          rowKey={({ provider }) => provider}
          onRetry={retry}
          empty={nothingAsked}
        />
      </Section>
      <Section title="By customer">
        <LocalGrid
          name="questions by customer"
          columns={[
            { header: 'Customer', cell: ({ owner }) => ownerName(owner) },
            { header: 'Provider', cell: ({ provider }) => provider },
            ...countColumns,
          ]}
          rows={asyncStateOf({ data: data && { results: data.accounts }, isFetching, isError })}
          rowKey={({ owner, provider }) => `${owner.id} ${provider}`}
          rowHref={({ owner }) => `/operator/customers/${owner.id}`}
          onRetry={retry}
          empty={nothingAsked}
        />
      </Section>
    </div>
  );
}

/** The same of one customer, by list. */
export function CustomerQuestions({ customerId }: { customerId: string }) {
  const [days, setDays] = useState<number>(daysAtFirst);
  const questions = useQuestionsOf(customerId, days);
  return (
    <Section title="Questions to mail providers" action={<PeriodField days={days} onChange={setDays} />}>
      <LocalGrid
        name="questions of the customer"
        columns={[
          { header: 'List', cell: listName },
          { header: 'Provider', cell: ({ provider }) => provider },
          ...countColumns,
        ]}
        rows={asyncStateOf(questions)}
        rowKey={({ list, provider }) => `${list?.id ?? ''} ${provider}`}
        onRetry={() => void questions.refetch()}
        empty={nothingAsked}
      />
    </Section>
  );
}

const listName = ({ list }: ListQuestions): string =>
  list === null ? 'Single checks and guesses' : (list.name ?? 'A deleted list');

const countColumns: readonly DataGridColumn<ProviderQuestions>[] = [
  { header: 'Questions', cell: ({ questions }) => formatCredits(questions), align: 'end', compact: 'beside' },
  { header: 'Unknown', cell: ({ unknown }) => formatCredits(unknown), align: 'end', compact: 'labelled' },
  {
    header: 'Share unknown',
    cell: ({ unknown, questions }) => shareText(unknown, questions),
    align: 'end',
    compact: 'labelled',
  },
  { header: 'Blocked', cell: ({ blocked }) => formatCredits(blocked), align: 'end', compact: 'labelled' },
  { header: 'Proofs', cell: ({ proofs }) => formatCredits(proofs), align: 'end', compact: 'labelled' },
  { header: 'Controls', cell: ({ controls }) => formatCredits(controls), align: 'end', compact: 'labelled' },
];

const nothingAsked = <EmptyState icon="search" title="Nothing was asked in this time" />;

const periodWords: Readonly<Record<(typeof QUESTION_DAYS)[number], string>> = {
  1: 'Today',
  7: 'Last 7 days',
  30: 'Last 30 days',
  365: 'Last 365 days',
};

const PeriodField = ({ days, onChange }: { days: number; onChange: (days: number) => void }) => (
  <NativeSelect
    aria-label="Period"
    w="fit-content"
    value={String(days)}
    data={QUESTION_DAYS.map((count) => ({ value: String(count), label: periodWords[count] }))}
    onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
  />
);
