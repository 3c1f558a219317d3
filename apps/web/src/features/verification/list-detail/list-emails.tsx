import type { ListEmail, Verdict } from '@assay/contract';
import { Button, NativeSelect, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { EvidencePanel } from '../../../shared/evidence/evidence-panel.tsx';
import { useListEmail } from '../api/get-list-email.ts';
import { useListEmails } from '../api/get-list-emails.ts';
import { EmailResult } from '../components/email-result.tsx';
import { type EmailsView, emailsParamsOf, emailsViewOf, SEARCH_LENGTH_MAX } from './emails-view.ts';
import classes from './list-emails.module.css';

/** Typing asks the server once the fingers rest. */
const SEARCH_DELAY_MS = 250;

/** The addresses of a list: searched, filtered, each with its reason, and its evidence when asked. */
export function ListEmails({ listId }: { listId: string }) {
  const [params, setParams] = useSearchParams();
  const view = emailsViewOf(params);
  const { paging, search, verdict } = view;
  const emails = useListEmails({ listId, paging, search, verdicts: verdict ? [verdict] : [] });
  const evidence = usePanel<ListEmail>();
  const detail = useListEmail(listId, evidence.subject?.id);

  const show = (next: EmailsView) => setParams(emailsParamsOf(next), { preventScrollReset: true });
  /** Another selection starts at its first page. Every letter typed is no place to go back to. */
  const narrow = (change: Partial<EmailsView>) =>
    setParams(
      (current) => {
        const before = emailsViewOf(current);
        const firstPage = { ...before.paging, page: DEFAULT_PAGING.page };
        return emailsParamsOf({ ...before, paging: firstPage, ...change });
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <section aria-label="Emails of the list">
      <div className={classes.head}>
        <Title order={2}>Emails</Title>
        <SearchField search={search} onSearch={narrow} />
        <NativeSelect
          aria-label="Show results"
          value={verdict ?? ''}
          data={filterOptions}
          onChange={({ currentTarget: { value } }) =>
            narrow({ verdict: value === '' ? undefined : (value as Verdict) })
          }
        />
      </div>
      <DataGrid<ListEmail>
        name="emails"
        columns={[
          { header: 'Email', isText: true, cell: ({ email_address }) => email_address },
          {
            header: 'Result',
            cell: (email) => <EmailResult email={email} onOpen={() => evidence.open(email)} />,
          },
          { header: 'Reason', isText: true, cell: ({ reason }) => <Reason text={reason?.text} /> },
        ]}
        rows={asyncStateOf(emails)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={(next) => show({ ...view, paging: next })}
        onRetry={() => void emails.refetch()}
        empty={
          <EmptyState
            icon={<Icon name="search" size={28} />}
            title="No emails match"
            description="No address of this list has these letters and this result."
            action={
              <Button variant="default" onClick={() => narrow({ search: '', verdict: undefined })}>
                Show all emails
              </Button>
            }
          />
        }
      />
      <EvidencePanel
        isOpen={evidence.isOpen}
        email={detail.data ?? evidence.subject}
        detail={asyncStateOf(detail)}
        onRetry={() => void detail.refetch()}
        onClose={evidence.close}
      />
    </section>
  );
}

const filterOptions = [
  { value: '', label: 'All results' },
  ...(['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] as const).map((verdict) => ({
    value: verdict,
    label: verdictLooks[verdict].label,
  })),
];

interface SearchFieldProps {
  search: string;
  onSearch: (change: { search: string }) => void;
}

function SearchField({ search, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(search);
  const [asked, setAsked] = useState(search);
  const [seen, setSeen] = useState(search);
  if (seen !== search) {
    setSeen(search);
    // The address changed without this field, for example by going back: the field follows.
    if (asked !== search) {
      setAsked(search);
      setTyped(search);
    }
  }
  const ask = (text: string) => {
    setAsked(text);
    onSearch({ search: text });
  };
  const askSoon = useDebouncedCallback((text: string) => ask(text.trim()), SEARCH_DELAY_MS);
  return (
    <TextInput
      type="search"
      className={classes.search}
      aria-label="Search emails"
      placeholder="Search emails"
      leftSection={<Icon name="search" size={18} />}
      maxLength={SEARCH_LENGTH_MAX}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        askSoon(value);
      }}
    />
  );
}

function Reason({ text }: { text: string | undefined }) {
  return text === undefined ? <span className={classes.none}>–</span> : <span>{text}</span>;
}
