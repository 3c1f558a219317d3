import { type OperatorFindings, SEARCH_LENGTH_MAX } from '@assay/contract/operator';
import { useSearchParams } from 'react-router';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { SearchField } from '../../../shared/components/search-field.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../shared/format/dates.ts';
import { LocalGrid } from '../local-grid.tsx';
import { ErrorList } from '../operation/error-list.tsx';
import classes from '../operator.module.css';
import { standingWords, useSearch } from '../operator-api.ts';
import { ownerName } from '../operator-words.ts';

/** One field for everything that an operator may have in hand. */
export function SearchSection() {
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const findings = useSearch(text);
  const isByName = findings.data === undefined || ['newest', 'name'].includes(findings.data.by);
  return (
    <>
      <div className={classes.tools}>
        <SearchField
          label="Email, name, id, trace id or address hash"
          lengthMax={SEARCH_LENGTH_MAX}
          search={text}
          onSearch={(typed) => setParams(typed === '' ? {} : { text: typed }, { replace: true })}
        />
      </div>
      {isByName ? (
        <CustomersGrid findings={findings} />
      ) : (
        <AsyncSlot
          state={asyncStateOf(findings)}
          name="findings"
          onRetry={() => void findings.refetch()}
          skeleton={<Skeleton height="12rem" />}
        >
          {(data) => <Findings findings={data} />}
        </AsyncSlot>
      )}
    </>
  );
}

function CustomersGrid({ findings }: { findings: ReturnType<typeof useSearch> }) {
  const { data, ...query } = findings;
  return (
    <LocalGrid
      name="customers"
      columns={customerColumns}
      rows={asyncStateOf({ ...query, data: data && { results: data.customers } })}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/operator/customers/${id}`}
      onRetry={() => void findings.refetch()}
      empty={
        <EmptyState
          icon="search"
          title="No customer matches"
          description="Search by the beginning of an email address, a full name or a last name; by the whole id of a customer, list or job; by a trace id; or by the SHA-256 of an address."
        />
      }
    />
  );
}

type Customer = OperatorFindings['customers'][number];
const customerColumns = [
  { header: 'Name', cell: (row: Customer) => ownerName(row) },
  { header: 'Email', cell: ({ email_address }: Customer) => email_address, isText: true },
  { header: 'Standing', cell: ({ standing }: Customer) => standingWords[standing] },
  {
    header: 'Balance',
    cell: ({ balance }: Customer) => formatCredits(balance),
    align: 'end',
    compact: 'labelled',
  },
  { header: 'Since', cell: ({ creation_date }: Customer) => formatDate(creation_date) },
] as const;

/** What was found by an id, a trace or a hash. Each kind has a table only if something of it was found. */
function Findings({ findings }: { findings: OperatorFindings }) {
  const { customers, lists, jobs, errors, checks, searched_back_to: bounds } = findings;
  const count = customers.length + lists.length + jobs.length + errors.length + checks.length;
  return (
    <div className={classes.stack}>
      {bounds ? (
        <p className={classes.note}>
          {`Checks of the address whose lower case has this SHA-256. Searched: ${reach('single checks', bounds.singles)} and ${reach('lists of email addresses', bounds.lists)}.`}
        </p>
      ) : null}
      {count === 0 ? (
        <EmptyState icon="search" title="Nothing found" description={nothingWords[findings.by]} />
      ) : null}
      {customers.length > 0 ? (
        <Section title="Customer">
          <LocalGrid
            name="customers that were found"
            columns={customerColumns}
            rows={complete(customers)}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/operator/customers/${id}`}
            empty={null}
          />
        </Section>
      ) : null}
      {lists.length > 0 ? (
        <Section title="List">
          <LocalGrid
            name="lists that were found"
            columns={[
              { header: 'Name', cell: ({ name }) => name },
              {
                header: 'Rows',
                cell: ({ total }) => formatCredits(total),
                align: 'end',
                compact: 'labelled',
              },
              {
                header: 'State',
                cell: ({ run_state, progress }) =>
                  run_state ? `${run_state}, ${Math.floor(progress)}%` : 'complete',
                compact: 'beside',
              },
              { header: 'Created', cell: ({ creation_date }) => formatDateTime(creation_date) },
            ]}
            rows={complete(lists)}
            rowKey={({ id }) => id}
            rowHref={({ owner_id }) => `/operator/customers/${owner_id}`}
            empty={null}
          />
        </Section>
      ) : null}
      {jobs.length > 0 ? (
        <Section title="Jobs">
          <LocalGrid
            name="jobs that were found"
            columns={[
              { header: 'Job', cell: ({ words }) => words },
              { header: 'Customer', cell: ({ owner }) => owner && ownerName(owner), isText: true },
              { header: 'State', cell: ({ state }) => state, compact: 'beside' },
              { header: 'Problem', cell: ({ problem }) => problem || null, isText: true },
              { header: 'Date', cell: ({ date }) => formatDateTime(date) },
            ]}
            rows={complete(jobs)}
            rowKey={({ id }) => id}
            rowHref={({ owner }) => (owner ? `/operator/customers/${owner.id}` : '/operator/work')}
            empty={null}
          />
        </Section>
      ) : null}
      {errors.length > 0 ? (
        <Section title="Errors">
          <ErrorList errors={errors} />
        </Section>
      ) : null}
      {checks.length > 0 ? (
        <Section title="Checks">
          <LocalGrid
            name="checks of the address"
            columns={[
              { header: 'Customer', cell: ({ owner }) => (owner ? ownerName(owner) : 'Deleted account') },
              { header: 'Email', cell: ({ owner }) => owner?.email_address ?? null, isText: true },
              { header: 'Where', cell: ({ list }) => list?.name ?? 'Single check', isText: true },
              { header: 'Date', cell: ({ date }) => formatDateTime(date) },
            ]}
            rows={complete(checks)}
            rowKey={({ owner, list, date }) => `${owner?.id} ${list?.id} ${date}`}
            rowHref={({ owner }) => (owner ? `/operator/customers/${owner.id}` : '/operator/search')}
            empty={null}
          />
        </Section>
      ) : null}
    </div>
  );
}

const complete = <Row,>(results: readonly Row[]) => ({ status: 'complete', data: { results } }) as const;

const reach = (what: string, since: string | null): string =>
  since === null ? `all ${what}` : `${what} since ${formatDateTime(since)}`;

const nothingWords: Readonly<Record<OperatorFindings['by'], string>> = {
  newest: '',
  name: '',
  id: 'No customer, list or job has this id. Jobs that ended are forgotten after ten minutes.',
  trace: 'No error of the last week and no job has this trace id. The log of the processes has every call.',
  address_hash: 'Nobody checked this address in what was searched.',
};
