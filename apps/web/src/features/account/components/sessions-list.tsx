import { programWords, type SignInSession } from '@assay/contract';
import { Badge, Button } from '@mantine/core';
import { LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { formatDateTime } from '../../../shared/format/dates.ts';
import { useEndSession } from '../api/security.ts';
import classes from './security-section.module.css';

const nameOf = ({ agent }: SignInSession): string => programWords(agent) || 'Unknown program';

/** As high as the one session that there always is. */
export const SessionsSkeleton = () => (
  <div className={classes.sessions}>
    <div className={classes.row}>
      <div className={classes.words}>
        <LineSkeleton width="9rem" />
        <p className={classes.aside}>
          <LineSkeleton width="20rem" />
        </p>
      </div>
    </div>
  </div>
);

/** Where the person is signed in. Each session but this one can be ended. */
export function SessionsList({ sessions }: { sessions: readonly SignInSession[] }) {
  const asking = usePanel<SignInSession>();
  const endSession = useEndSession();
  return (
    <>
      <ul className={classes.sessions} aria-label="Sessions">
        {sessions.map((session) => (
          <li key={session.id} className={classes.row}>
            <div className={classes.words}>
              <span>
                {nameOf(session)} {session.is_current ? <Badge variant="light">This one</Badge> : null}
              </span>
              <p className={classes.aside}>
                {session.address ? `From ${session.address}. ` : null}
                {`Signed in ${formatDateTime(session.start_date)}, last used ${formatDateTime(session.last_used_date)}.`}
              </p>
            </div>
            {session.is_current ? null : (
              <Button
                variant="subtle"
                color="danger"
                aria-label={`End ${nameOf(session)}`}
                onClick={() => asking.open(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={asking.isOpen}
        title="End this session?"
        confirmLabel="End session"
        isDestructive
        isBusy={endSession.isPending}
        onConfirm={() => {
          if (asking.subject) endSession.mutate(asking.subject, { onSettled: asking.close });
        }}
        onCancel={asking.close}
      >
        {asking.subject ? `${nameOf(asking.subject)} is signed out at once.` : null}
      </ConfirmDialog>
    </>
  );
}
