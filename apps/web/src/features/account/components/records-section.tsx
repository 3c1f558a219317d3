import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../../shared/components/section.tsx';
import { isSignInAgain } from '../../../shared/errors/rejected-call.ts';
import { useExportData } from '../api/export-data.ts';
import { useOnReturn } from '../resume.ts';
import classes from './records-section.module.css';
import { RetentionRow } from './retention-row.tsx';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';

/** What we keep about the account. */
export function RecordsSection() {
  const exportData = useExportData();
  useOnReturn('download-data', exportData.mutate);
  return (
    <Section title="Records">
      <ul className={classes.rows}>
        <li className={classes.row}>
          <div className={classes.words}>
            <span>Activity</span>
            <p className={classes.aside}>Sign-ins, keys, exports and deletions of the last 12 months.</p>
          </div>
          <Button component={Link} to="/account/activity" variant="default">
            View activity
          </Button>
        </li>
        <li className={classes.row}>
          <div className={classes.words}>
            <span>Outcomes</span>
            <p className={classes.aside}>What happened to your mails after you sent them.</p>
          </div>
          <Button component={Link} to="/account/outcomes" variant="default">
            View outcomes
          </Button>
        </li>
        <li className={classes.row}>
          <div className={classes.words}>
            <span>Suppression</span>
            <p className={classes.aside}>Addresses and domains that are never asked and never charged.</p>
          </div>
          <Button component={Link} to="/account/suppressions" variant="default">
            View suppressions
          </Button>
        </li>
        <li className={classes.row}>
          <RetentionRow />
        </li>
        <li className={classes.row}>
          <div className={classes.words}>
            <span>Your data</span>
            <p className={classes.aside}>
              One archive with your profile, second factors, sessions, lists, single verifications, guesses,
              outcomes, suppressions, credits history, keys, webhooks, feeds, mailboxes and activity. Secrets
              are left out.
            </p>
          </div>
          <Button variant="default" loading={exportData.isPending} onClick={() => exportData.mutate()}>
            Download my data
          </Button>
        </li>
      </ul>
      <SignInAgainDialog
        isOpen={isSignInAgain(exportData.error)}
        resume="download-data"
        onCancel={exportData.reset}
      />
    </Section>
  );
}
