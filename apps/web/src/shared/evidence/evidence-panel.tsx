import {
  ADDRESS_FLAGS,
  type CheckOutcome,
  FLAG_TABLE,
  type Verdict,
  type VerdictDetail,
} from '@assay/contract';
import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { AsyncSlot, Skeleton } from '../components/async-slot.tsx';
import type { AsyncState } from '../components/async-state.ts';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { evidenceOpened } from './evidence-opened.ts';
import classes from './evidence-panel.module.css';
import { EvidenceStages } from './evidence-stages.tsx';
import { OutcomesList } from './outcomes-list.tsx';

/** A checked address, of a single check or of a list. */
interface CheckedAddress {
  readonly email_address: string;
  readonly email_address_status: Verdict | null;
  readonly reason: { readonly code: string; readonly text: string } | null;
  readonly outcomes?: readonly CheckOutcome[] | undefined;
}

interface EvidencePanelProps {
  isOpen: boolean;
  email: CheckedAddress | undefined;
  detail: AsyncState<VerdictDetail>;
  /** The word of the verdict where that is not its own. */
  label?: string | undefined;
  /** Notes above the evidence, such as 'free of charge'. */
  children?: ReactNode;
  onRetry: () => void;
  onClose: () => void;
}

/** Why a verdict is what it is: the reason in words, and what every host on the way said. */
export function EvidencePanel(props: EvidencePanelProps) {
  const { isOpen, email, detail, label, children, onRetry, onClose } = props;
  useEffect(() => {
    if (isOpen) evidenceOpened.note();
  }, [isOpen]);
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="right" size="30rem">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Evidence">
        <Drawer.Header>
          <Drawer.Title className={classes.address}>{email?.email_address}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close evidence" />
        </Drawer.Header>
        <Drawer.Body>
          {email ? <VerdictSummary email={email} label={label} /> : null}
          {children}
          {email?.outcomes ? <OutcomesList outcomes={email.outcomes} /> : null}
          <AsyncSlot state={detail} name="evidence" onRetry={onRetry} skeleton={<DetailSkeleton />}>
            {(loaded) => <Detail detail={loaded} />}
          </AsyncSlot>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function VerdictSummary({ email, label }: { email: CheckedAddress; label: string | undefined }) {
  const { email_address_status, reason } = email;
  const verdict = email_address_status ?? 'PENDING';
  return (
    <div className={classes.summary} data-verdict={verdict}>
      <VerdictMark
        verdict={verdict}
        size={24}
        label={label ?? (verdict === 'PENDING' ? 'Verifying...' : true)}
      />
      {reason ? <p className={classes.reason}>{reason.text}</p> : null}
      {verdict === 'UNKNOWN' ? <p className={classes.quiet}>You were not charged for it.</p> : null}
      {reason ? (
        <p className={classes.quiet}>
          Reason code <code>{reason.code}</code>
        </p>
      ) : null}
    </div>
  );
}

function Detail({ detail: { flags, suggestion, evidence } }: { detail: VerdictDetail }) {
  return (
    <>
      {suggestion ? (
        <p className={classes.suggestion}>
          Did you mean <strong>{suggestion}</strong>?
        </p>
      ) : null}
      {flags ? (
        <section aria-label="About the address">
          <h3 className={classes.heading}>About the address</h3>
          <dl className={classes.flags}>
            {ADDRESS_FLAGS.map((flag) => (
              <div key={flag} data-on={flags[flag]}>
                <dt>{FLAG_TABLE[flag].question}</dt>
                <dd>{flags[flag] ? 'Yes' : 'No'}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
      <section aria-label="How we know">
        <h3 className={classes.heading}>How we know</h3>
        <EvidenceStages stages={evidence} />
      </section>
    </>
  );
}

function DetailSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton width="8rem" height="1.125rem" />
      <Skeleton height="4rem" />
      <Skeleton width="8rem" height="1.125rem" />
      <Skeleton height="9rem" />
    </div>
  );
}
