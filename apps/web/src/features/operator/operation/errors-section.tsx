import { OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import { Button, Group } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import classes from '../operator.module.css';
import { useErrors } from '../operator-api.ts';
import { ErrorList } from './error-list.tsx';

/** The newest errors, of one call or queue if the address names one. */
export function ErrorsSection() {
  const [params, setParams] = useSearchParams();
  const source = params.get('source') ?? undefined;
  const before = Number(params.get('before')) || undefined;
  const errors = useErrors(source, before);
  const last = errors.data?.results.at(-1)?.id;
  const open = (place: { before?: number | undefined }) =>
    setParams({ ...(source && { source }), ...(place.before && { before: String(place.before) }) });
  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        Calls that answered with a 5xx and jobs that failed, without personal data. Of each call or queue, a
        process keeps five errors a minute, for a week; the log has all of them.
      </p>
      <Section
        title={source ?? 'All calls and queues'}
        action={
          source ? (
            <Button variant="default" onClick={() => setParams({})}>
              Show all
            </Button>
          ) : undefined
        }
      >
        <AsyncSlot
          state={asyncStateOf(errors)}
          name="errors"
          onRetry={() => void errors.refetch()}
          skeleton={<Skeleton height="20rem" />}
        >
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState icon="check" title={before ? 'No earlier errors' : 'No errors in the last week'} />
            ) : (
              <ErrorList errors={results} />
            )
          }
        </AsyncSlot>
        <Group gap="xs" mt="lg">
          {before ? (
            <Button variant="default" onClick={() => open({})}>
              Newest
            </Button>
          ) : null}
          {errors.data?.results.length === OPERATOR_ROWS_MAX ? (
            <Button variant="default" onClick={() => open({ before: last })}>
              Earlier
            </Button>
          ) : null}
        </Group>
      </Section>
    </div>
  );
}
