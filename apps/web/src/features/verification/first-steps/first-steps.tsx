import type { SingleValidation } from '@assay/contract';
import { CloseButton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { userQuery } from '../../../shared/api/user-query.ts';
import { browserStorage } from '../../../shared/cache/browser-storage.ts';
import { NO_FILTER } from '../../../shared/components/data-grid/grid-page.ts';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { evidenceOpened } from '../../../shared/evidence/evidence-opened.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useLists } from '../api/get-lists.ts';
import { useSingles } from '../api/get-singles.ts';
import { useHasApiKey } from '../api/has-api-key.ts';
import { SingleEvidence } from '../single/single-evidence.tsx';
import classes from './first-steps.module.css';
import { type FirstStep, firstStepsOf, isNewAccount } from './steps.ts';

const storageKey = 'assay.first-steps-hidden';

interface FirstStepsProps {
  /** Before the chart, where they are while it is empty, or below the grid, where they leave the rows in view. */
  place: 'top' | 'bottom';
  onCheck: () => void;
  onImportSample: () => void;
}

/** What a new customer may try, until everything is done or they hide it. */
export function FirstSteps(props: FirstStepsProps) {
  const user = useQuery(userQuery(useServices()));
  const [hiddenFor, setHiddenFor] = useState(() => browserStorage.getItem(storageKey));
  if (!user.data || user.isPlaceholderData || hiddenFor === user.data.id) return null;
  if (!isNewAccount(user.data.creation_date, new Date())) return null;
  const { id } = user.data;
  const hide = () => {
    browserStorage.setItem(storageKey, id);
    setHiddenFor(id);
  };
  return <Checklist {...props} onHide={hide} />;
}

function Checklist({ place, onCheck, onImportSample, onHide }: FirstStepsProps & { onHide: () => void }) {
  const singles = useSingles(DEFAULT_PAGING, NO_FILTER).data;
  const lists = useLists(DEFAULT_PAGING, NO_FILTER).data;
  const hasKey = useHasApiKey().data;
  const hasOpenedEvidence = useSyncExternalStore(evidenceOpened.subscribe, evidenceOpened.was);
  const evidence = usePanel<SingleValidation>();
  // With the rows of the grid, which keeps its skeleton for one more render: below it they would move when it becomes shorter.
  const mayShow = useDeferredValue(singles !== undefined && lists !== undefined && hasKey !== undefined);
  if (!singles || !lists || hasKey === undefined || !mayShow) return null;
  const isEmpty = singles.total + lists.total === 0;
  if (place !== (isEmpty ? 'top' : 'bottom')) return null;

  const steps = firstStepsOf({ singles: singles.total, lists: lists.total, hasOpenedEvidence, hasKey });
  const newest = singles.results.find(({ status }) => status === 'COMPLETE');
  const isDone = steps.every((step) => step.isDone);
  // The evidence stays open when opening it was the last step.
  if (isDone && !evidence.isOpen) return null;
  const actions = {
    check: onCheck,
    import: onImportSample,
    // Without a result there is no evidence yet.
    evidence: newest ? () => evidence.open(newest) : onCheck,
  };
  return (
    <section className={classes.root} data-place={place} aria-label="First steps">
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.id} data-done={step.isDone}>
            {step.id === 'key' ? (
              <Link to="/account" className={classes.step}>
                <StepText {...step} />
              </Link>
            ) : (
              <UnstyledButton className={classes.step} onClick={actions[step.id]}>
                <StepText {...step} />
              </UnstyledButton>
            )}
          </li>
        ))}
      </ol>
      <CloseButton aria-label="Hide first steps" onClick={onHide} />
      <SingleEvidence panel={evidence} />
    </section>
  );
}

function StepText({ text, isDone }: FirstStep) {
  return (
    <>
      <span className={classes.sign} role="img" aria-label={isDone ? 'Done' : 'To do'}>
        {isDone ? <Icon name="check" size={14} /> : null}
      </span>
      {text}
    </>
  );
}
