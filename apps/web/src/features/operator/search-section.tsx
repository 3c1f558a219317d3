import { useSearchParams } from 'react-router';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { SearchField } from '../../shared/components/search-field.tsx';
import { formatCredits } from '../../shared/format/counts.ts';
import { formatDate } from '../../shared/format/dates.ts';
import { LocalGrid } from './local-grid.tsx';
import classes from './operator.module.css';
import { standingWords, useCustomers } from './operator-api.ts';

const SEARCH_LENGTH_MAX = 254;

export function CustomersSection() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const customers = useCustomers(search);
  return (
    <>
      <div className={classes.tools}>
        <SearchField
          label="Id, or beginning of email or name"
          lengthMax={SEARCH_LENGTH_MAX}
          search={search}
          onSearch={(text) => setParams(text === '' ? {} : { search: text }, { replace: true })}
        />
      </div>
      <LocalGrid
        name="customers"
        columns={[
          { header: 'Name', cell: (row) => `${row.first_name} ${row.last_name}`.trim() || row.id },
          { header: 'Email', cell: ({ email_address }) => email_address, isText: true },
          { header: 'Standing', cell: ({ standing }) => standingWords[standing] },
          {
            header: 'Balance',
            cell: ({ balance }) => formatCredits(balance),
            align: 'end',
            compact: 'labelled',
          },
          { header: 'Since', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(customers)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/operator/customers/${id}`}
        onRetry={() => void customers.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="No customer matches"
            description="Search by the whole id, or by the beginning of an email address, a full name or a last name."
          />
        }
      />
    </>
  );
}
