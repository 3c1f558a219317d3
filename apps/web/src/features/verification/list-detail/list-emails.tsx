import {
  ADDRESS_FLAGS,
  COUNTED_EMAILS_MAX,
  type EmailSort,
  type EmailSummary,
  FLAG_TABLE,
  type ListEmail,
  type ValidationList,
} from '@assay/contract';
import { Badge, Button, VisuallyHidden } from '@mantine/core';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { NoMatch } from '../../../shared/components/no-match.tsx';
import signOnly from '../../../shared/components/sign-only.module.css';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { reasonWords } from '../../../shared/format/reason-words.ts';
import { useLastPage } from '../../../shared/navigation/grid-paging.ts';
import { useListEmail } from '../api/get-list-email.ts';
import { useListEmails } from '../api/get-list-emails.ts';
import { EmailResult } from '../components/email-result.tsx';
import { EmailFilters } from './email-filters.tsx';
import { EVERYTHING, filterOf, sortOf } from './emails-view.ts';
import classes from './list-emails.module.css';
import { useEmailsView } from './use-emails-view.ts';

const EvidencePanel = lateDialog(
  async () => (await import('../../../shared/evidence/evidence-panel.tsx')).EvidencePanel,
);

const ExportDialog = lateDialog(async () => (await import('./export-dialog.tsx')).ExportDialog);

interface ListEmailsProps {
  /** Undefined while it loads: then this is a skeleton. */
  list: Pick<ValidationList, 'id' | 'name' | 'status' | 'run_state'> | undefined;
  summary: EmailSummary | undefined;
}

/** The addresses of a list: searched, filtered, sorted and exported, each with its reason, and its evidence when asked. */
export function ListEmails({ list, summary }: ListEmailsProps) {
  const { view, show, narrow } = useEmailsView();
  const isRunning = list?.status === 'PENDING';
  const sort = sortOf(view, isRunning);
  const emails = useListEmails({
    listId: list?.id,
    paging: view.paging,
    filter: { ...filterOf(view), sort },
  });
  // A total that is not exact says nothing about the last page.
  const { total, total_is_exact = true } = (!emails.isPlaceholderData && emails.data) || {};
  useLastPage(view.paging, total_is_exact ? total : undefined, (last, options) =>
    show({ ...view, paging: last }, options),
  );
  const evidence = usePanel<ListEmail>();
  const exporting = usePanel<true>();
  const detail = useListEmail(list?.id, evidence.subject?.id);
  const showAll = () => narrow(EVERYTHING, { isPlace: true });
  const isShort =
    emails.data === undefined || (emails.data.total_is_exact && emails.data.total <= COUNTED_EMAILS_MAX);

  return (
    <section className={classes.root} aria-label="Emails of the list">
      <VisuallyHidden component="h2">Emails</VisuallyHidden>
      <EmailFilters
        summary={summary}
        view={view}
        sort={sort}
        isRunning={isRunning}
        canSort={isShort}
        onSearch={(search) => narrow({ search })}
        onNarrow={(change) => narrow(change, { isPlace: true })}
      >
        <Button
          className={`${classes.export} ${signOnly.button}`}
          variant="subtle"
          disabled={list === undefined || emails.data?.total === 0}
          leftSection={<Icon name="download" size={18} />}
          onClick={() => exporting.open(true)}
        >
          <span className={signOnly.words}>Export</span>
        </Button>
      </EmailFilters>
      {isShort ? null : <p className={classes.note}>{TOO_MANY_TO_SORT}</p>}
      <DataGrid<ListEmail>
        name="emails"
        columns={[
          {
            header: 'Email',
            isText: true,
            sort: { up: 'email', down: '-email' },
            cell: ({ email_address }) => <bdi>{email_address}</bdi>,
          },
          {
            header: 'Result',
            compact: 'beside',
            sort: { up: 'status', down: '-status' },
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
        sorting={{
          current: sort,
          onSort: (next) => narrow({ sort: next as EmailSort | undefined }, { isPlace: true }),
          refusal: isShort ? undefined : TOO_MANY_TO_SORT,
        }}
        rows={asyncStateOf(emails)}
        rowKey={({ id }) => id}
        paging={view.paging}
        onPagingChange={(next) => show({ ...view, paging: next })}
        onRetry={() => void emails.refetch()}
        empty={
          sort === 'newest' && Object.keys(filterOf(view)).length === 0 ? (
            <EmptyState
              icon="verification"
              title="No results yet"
              description="The newest results appear here, in a moment."
              action={
                <Button variant="default" onClick={() => narrow({ sort: 'row' }, { isPlace: true })}>
                  Show the order of the file
                </Button>
              }
            />
          ) : (
            <NoMatch
              title="No emails match"
              description="No address of this list matches what you search and filter by."
              showAll="Show all emails"
              onShowAll={showAll}
            />
          )
        }
      />
      {list ? (
        <ExportDialog
          isOpen={exporting.isOpen}
          list={list}
          filter={filterOf(view)}
          matches={emails.data}
          onClose={exporting.close}
        />
      ) : null}
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

const TOO_MANY_TO_SORT = `Sorting by email or result works for up to ${formatCredits(COUNTED_EMAILS_MAX)} emails. Filter or search to see fewer.`;

/** The reason in a few words, and the flags of the address. */
function reasonCell({ reason, flags }: ListEmail) {
  const raised = ADDRESS_FLAGS.filter((flag) => flags?.[flag]);
  if (reason === null && raised.length === 0) return null;
  return (
    <span className={classes.reason}>
      {reason ? reasonWords(reason.code) : null}
      {raised.map((flag) => (
        <Badge key={flag} variant="light" color="gray" size="sm">
          {FLAG_TABLE[flag].label}
        </Badge>
      ))}
    </span>
  );
}
