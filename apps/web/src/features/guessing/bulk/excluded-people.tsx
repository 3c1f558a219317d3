import type { GuessPreview } from '@assay/contract';
import { metricsOf } from '../../../shared/bulk-import/bulk-cost.ts';
import { ExcludedRows } from '../../../shared/bulk-import/excluded-rows.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { askForExclusions } from '../api/export-exclusions.ts';

type Excluded = GuessPreview['excluded'][number];

const problemWords: Readonly<Record<Exclude<Excluded['reason'], 'duplicated'>, string>> = {
  name_missing: 'no name',
  name_not_latin: 'a name that is not in Latin letters',
  domain_missing: 'no company domain',
  domain_not_company: 'not the domain of a company',
};

interface ExcludedPeopleProps {
  preview: GuessPreview;
  withHeaders: boolean;
}

export function ExcludedPeople({ preview, withHeaders }: ExcludedPeopleProps) {
  const services = useServices();
  const { duplicated, non_billable } = metricsOf(preview, withHeaders);
  const repeated = preview.excluded.filter(({ reason }) => reason === 'duplicated');
  const unusable = preview.excluded.filter(({ reason }) => reason !== 'duplicated');
  return (
    <ExcludedRows
      noun="people"
      groups={[
        { title: 'Duplicated', count: duplicated, examples: repeated.map(exampleOf) },
        {
          title: 'Without a usable name or company domain',
          count: non_billable,
          examples: unusable.map(exampleOf),
        },
      ]}
      askForLink={() => askForExclusions(services, preview.upload_id, withHeaders)}
    />
  );
}

const exampleOf = ({ row, person, reason }: Excluded) => {
  const why = reason === 'duplicated' ? '' : `(${problemWords[reason]})`;
  return { row, text: `${person} ${why}`.trim() };
};
