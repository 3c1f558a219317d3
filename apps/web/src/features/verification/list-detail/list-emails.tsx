import { ADDRESS_FLAGS, type ListEmail, type ValidationList, VERDICTS } from '@assay/contract';
import { Badge, Button, NativeSelect, Title } from '@mantine/core';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { SearchField } from '../../../shared/components/search-field.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { useLastPage } from '../../../shared/navigation/grid-paging.ts';
import { useListEmail } from '../api/get-list-email.ts';
import { useListEmails } from '../api/get-list-emails.ts';
import { EmailResult } from '../components/email-result.tsx';
import { EmailFilters } from './email-filters.tsx';
import { EVERYTHING, SEARCH_LENGTH_MAX } from './emails-view.ts';
import { flagWords } from './flag-words.ts';
import classes from './list-emails.module.css';
import { useEmailsView } from './use-emails-view.ts';

const EvidencePanel = lateDialog(
  async () => (await import('../../../shared/evidence/evidence-panel.tsx')).EvidencePanel,
);

interface ListEmailsProps {
  /** Undefined while it loads: then this is a skeleton. */
  list: Pick<ValidationList, 'id' | 'status' | 'run_state' | 'validation_email_metrics'> | undefined;
}

/** The addresses of a list: searched, filtered, sorted, each with its reason, and its evidence when asked. */
export function ListEmails({ list }: ListEmailsProps) {
  const { view, show, narrow } = useEmailsView();
  const { paging, search, verdicts, reason, flag, mxProvider, sort } = view;
  const filter = {
    ...(search === '' ? {} : { search }),
    ...(verdicts.length === 0 ? {} : { status: [...verdicts] }),
    ...(reason === undefined ? {} : { reason: [reason] }),
    ...(flag === undefined ? {} : { flag: [flag] }),
    ...(mxProvider === undefined ? {} : { mx_provider: [mxProvider] }),
    sort,
  };
  const emails = useListEmails({ listId: list?.id, paging, filter });
  // A total that is not exact says nothing about the last page.
  const { total, total_is_exact = true } = (!emails.isPlaceholderData && emails.data) || {};
  useLastPage(paging, total_is_exact ? total : undefined, (last, options) =>
    show({ ...view, paging: last }, options),
  );
  const evidence = usePanel<ListEmail>();
  const detail = useListEmail(list?.id, evidence.subject?.id);
  const showAll = () => narrow(EVERYTHING, { isPlace: true });

  return (
    <section aria-label="Emails of the list">
      <div className={classes.head}>
        <Title order={2}>Emails</Title>
        <SearchField
          label="Search emails"
          lengthMax={SEARCH_LENGTH_MAX}
          search={search}
          onSearch={(text) => narrow({ search: text })}
        />
        <NativeSelect
          aria-label="Show results"
          value={verdicts.length === 1 ? verdicts[0] : ''}
          data={[
            { value: '', label: verdicts.length > 1 ? 'Chosen results' : 'All results' },
            ...resultOptions,
          ]}
          onChange={({ currentTarget: { value } }) =>
            narrow({ verdicts: VERDICTS.filter((verdict) => verdict === value) }, { isPlace: true })
          }
        />
      </div>
      <EmailFilters list={list} view={view} onNarrow={(change) => narrow(change, { isPlace: true })} />
      <DataGrid<ListEmail>
        name="emails"
        columns={[
          { header: 'Email', isText: true, cell: ({ email_address }) => email_address },
          {
            header: 'Result',
            compact: 'beside',
            cell: (email) =>
              list?.run_state === 'paused' && email.email_address_status === null ? (
                <span className={classes.none}>Paused</span>
              ) : (
                <EmailResult email={email} onOpen={() => evidence.open(email)} />
              ),
          },
          { header: 'Reason', isText: true, cell: reasonCell },
          { header: 'Provider', cell: ({ mx_provider }) => mx_provider },
        ]}
        rows={asyncStateOf(emails)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={(next) => show({ ...view, paging: next })}
        onRetry={() => void emails.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="No emails match"
            description="No address of this list matches what you search and filter by."
            action={
              <Button variant="default" onClick={showAll}>
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

const resultOptions = VERDICTS.map((verdict) => ({ value: verdict, label: verdictLooks[verdict].label }));

/** The reason in words, and the flags of the address. */
function reasonCell({ reason, flags }: ListEmail) {
  const raised = ADDRESS_FLAGS.filter((flag) => flags?.[flag]);
  if (reason === null && raised.length === 0) return null;
  return (
    <span className={classes.reason}>
      {reason?.text}
      {raised.map((flag) => (
        <Badge key={flag} variant="light" color="gray" size="sm">
          {flagWords[flag]}
        </Badge>
      ))}
    </span>
  );
}
