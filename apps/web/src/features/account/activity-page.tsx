import {
  ACTIVITY_AREAS,
  type Activity,
  type ActivityArea,
  activityWords,
  programWords,
} from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { DataGrid } from '../../shared/components/data-grid/data-grid.tsx';
import { GridTools } from '../../shared/components/data-grid/grid-tools.tsx';
import { useFilter } from '../../shared/components/data-grid/use-filter.ts';
import { Icon } from '../../shared/components/icon.tsx';
import { NoMatch } from '../../shared/components/no-match.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { SearchField } from '../../shared/components/search-field.tsx';
import { formatDate, formatTime } from '../../shared/format/dates.ts';
import { aboutWords, areaWords, whoWords } from './activity-words.ts';
import { type ActivityFilter, useActivities, useExportActivities } from './api/activities.ts';

const SEARCH_LENGTH_MAX = 100;
const NO_FILTER: ActivityFilter = { area: '', search: '' };

export function ActivityPage() {
  const { filter, show, showAll, paging, setPaging } = useFilter(NO_FILTER);
  const activities = useActivities(filter, paging);
  const exportActivities = useExportActivities();
  return (
    <>
      <title>Activity · Assay</title>
      <PageHeader
        title="Activity"
        description="What happened in your account in the last 12 months. Entries cannot be changed or deleted."
        back={{ to: '/account', label: 'Back to account' }}
      />
      <GridTools>
        <SearchField
          label="Search activity"
          lengthMax={SEARCH_LENGTH_MAX}
          search={filter.search}
          onSearch={(search) => show({ search })}
        />
        <NativeSelect
          aria-label="Kind of activity"
          value={filter.area}
          data={[
            { value: '', label: 'All activity' },
            ...ACTIVITY_AREAS.map((area) => ({ value: area, label: areaWords[area] })),
          ]}
          onChange={({ currentTarget }) => show({ area: currentTarget.value as ActivityArea | '' })}
        />
        <Button
          variant="default"
          disabled={(activities.data?.total ?? 0) === 0}
          loading={exportActivities.isPending}
          leftSection={<Icon name="download" size={18} />}
          onClick={() => exportActivities.mutate({ list: { name: 'activity' }, filter })}
        >
          Download CSV
        </Button>
      </GridTools>
      <DataGrid
        name="activity"
        columns={[
          { header: 'Activity', cell: ({ kind }) => activityWords(kind) },
          { header: 'Detail', cell: aboutWords, isText: true },
          { header: 'By', cell: (activity) => <Who activity={activity} />, isText: true },
          { header: 'From', cell: originCell, isText: true },
          {
            header: 'Date',
            cell: ({ date }) => `${formatDate(date)}, ${formatTime(date)}`,
            compact: 'beside',
          },
        ]}
        rows={asyncStateOf(activities)}
        rowKey={({ number }) => String(number)}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void activities.refetch()}
        empty={
          <NoMatch
            title="No activity matches"
            description="Nothing in the last 12 months is of this kind and contains this."
            showAll="Show all activity"
            onShowAll={showAll}
          />
        }
      />
    </>
  );
}

function Who({ activity }: { activity: Activity }) {
  return <span title={activity.api_key_id ?? undefined}>{whoWords(activity)}</span>;
}

function originCell({ address, user_agent }: Activity) {
  if (address === null) return null;
  const program = programWords(user_agent);
  return <span title={user_agent ?? undefined}>{program === '' ? address : `${address}, ${program}`}</span>;
}
