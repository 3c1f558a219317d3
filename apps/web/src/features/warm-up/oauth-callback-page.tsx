import { Button, Loader, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { PlainPage } from '../../shared/components/plain-page.tsx';
import { snackbar } from '../../shared/components/snackbar.tsx';
import { Illustration } from '../../shared/illustrations/illustration.tsx';
import { useFinishAuthorization } from './api/finish-authorization.ts';
import classes from './oauth-callback-page.module.css';

const MISSING_TEXT = 'Missing code or state';
const WARM_UP_PATH = '/warm-up';

/** Where a mailbox provider sends the browser back to. */
export function OAuthCallbackPage() {
  const [query] = useSearchParams();
  const code = query.get('code');
  const state = query.get('state');
  return (
    <PlainPage title="Email Warm Up">
      {code && state ? (
        <Finishing code={code} state={state} />
      ) : (
        <Failed
          text={MISSING_TEXT}
          reason={query.get('error') === 'access_denied' ? 'Access was not allowed at the provider.' : null}
        />
      )}
    </PlainPage>
  );
}

function Finishing({ code, state }: { code: string; state: string }) {
  const navigate = useNavigate();
  const { mutate, error } = useFinishAuthorization();
  // What the provider sent is good for one time: a second look at the page must not spend it again.
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    mutate(
      { code, state },
      {
        onSuccess: async () => {
          await navigate(WARM_UP_PATH, { replace: true });
          snackbar.success('Your mailbox is connected.');
        },
      },
    );
  }, [mutate, navigate, code, state]);

  if (error) return <Failed text={error.message} reason={error.reason} />;
  return (
    <div className={classes.message} role="status">
      <Loader aria-hidden="true" data-testid="spinner" />
      <p>Connecting your account …</p>
    </div>
  );
}

function Failed({ text, reason }: { text: string; reason: string | null }) {
  return (
    <div className={classes.message} role="alert">
      <Illustration name="linkExpired" />
      <Title order={1} className={classes.title}>
        Your mailbox was not connected
      </Title>
      <p>{text}</p>
      {reason ? <p>{reason}</p> : null}
      <Button component={Link} to={WARM_UP_PATH} replace size="md">
        Back to Warm Up
      </Button>
    </div>
  );
}
